import type { Database } from '../database/database.ts';
import { CommandFailure } from './failure.ts';

export const unknownAccount = (id: string) =>
  new CommandFailure(`no account ${id}; \`navette account list\` shows them`);

/** For what a closed account cannot have done to it either. */
export const noOpenAccount = (id: string) =>
  new CommandFailure(`no open account ${id}; \`navette account list\` shows them`);

/** For a list that turned out empty: "none yet" would be a wrong answer about an account that does not exist. */
export async function refuseUnknownAccount(db: Database, id: string): Promise<void> {
  const { readAccount } = await import('../features/accounts/index.ts');
  if (!(await readAccount(db, id))) throw unknownAccount(id);
}
