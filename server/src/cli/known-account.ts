import type { Database } from '../database/database.ts';
import { CommandFailure } from './failure.ts';

export const unknownAccount = (id: string) =>
  new CommandFailure(`no account ${id}; \`navette account list\` shows them`);

/** For commands that a closed account does not allow either. */
export const noOpenAccount = (id: string) =>
  new CommandFailure(`no open account ${id}; \`navette account list\` shows them`);

/** For empty lists: "none yet" would be wrong for an account that does not exist. */
export async function refuseUnknownAccount(db: Database, id: string): Promise<void> {
  const { readAccount } = await import('../features/accounts/index.ts');
  if (!(await readAccount(db, id))) throw unknownAccount(id);
}
