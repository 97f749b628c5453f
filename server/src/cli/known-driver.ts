import type { Database } from '../database/database.ts';
import { CommandFailure } from './failure.ts';

/** The driver with this id or e-mail. */
export async function orFailure(db: Database, idOrEmail: string) {
  const { findDriver } = await import('../features/drivers/index.ts');
  const driver = await findDriver(db, idOrEmail);
  if (!driver) throw new CommandFailure(`no driver ${idOrEmail}; \`navette driver list\` shows them`);
  return driver;
}
