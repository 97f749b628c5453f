import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import { type Pending, readPendingFacts } from './read-facts.ts';
import { Tally } from './tally.ts';
import { addToFigures } from './write-figures.ts';

/** Runs and incidents that are counted by one statement. */
export const BATCH = 1_000;

/** Counts some pending rows and deletes them, in the caller's transaction, which has locked the figures. */
export async function countSomePending(tx: Tx, timeZone: string): Promise<number> {
  const pending = await listAnyPending(tx);
  if (pending.length === 0) return 0;
  const tally = new Tally(timeZone);
  for (const fact of await readPendingFacts(tx, pending, timeZone)) tally.addFact(fact);
  await addToFigures(tx, tally.rows(), timeZone);
  await sql`
    delete from figures_pending p
    using json_to_recordset(${JSON.stringify(pending)}) as done (subject text, "accountId" uuid, id uuid)
    where (p.subject, p.account_id, p.id) = (done.subject, done."accountId", done.id)`.execute(tx);
  return pending.length;
}

export async function countAllPending(tx: Tx, timeZone: string): Promise<void> {
  while ((await countSomePending(tx, timeZone)) === BATCH);
}

/** Some rows that are not counted yet, in any order. */
async function listAnyPending(tx: Tx): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    select subject, account_id as "accountId", id from figures_pending limit ${BATCH}`.execute(tx);
  return rows;
}

/** All rows that are not counted yet. There may be millions after the migration of a large installation. */
export async function* pagesOfPending(tx: Tx): AsyncGenerator<Pending[]> {
  let after: Pending | undefined;
  do {
    const isLater = after && sql`where (subject, account_id, id) > (${after.subject}, ${after.accountId}, ${after.id})`;
    const { rows } = await sql<Pending>`
      select subject, account_id as "accountId", id from figures_pending ${isLater ?? sql``}
      order by subject, account_id, id limit ${BATCH}`.execute(tx);
    yield rows;
    after = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (after);
}
