import { sql } from 'kysely';
import { inboxEntries, REFUSED_RECENTLY_MS } from './entries.ts';
import { type InboxContext, readAnyFacts } from './read-facts.ts';

const KEPT_MS = 86_400_000; // a fact may end and start again within the day

/** Deletes the states of entries whose facts have ended, and refusals that are too old to be listed. */
export async function purgeInboxStates(context: InboxContext, now: Date): Promise<number> {
  const { db, config } = context;
  const { inbox, timeZone } = config;
  const entries = inboxEntries(await readAnyFacts(context, now), now, { ...inbox, timeZone });
  const current = entries.map(({ key }) => key);
  const { numDeletedRows } = await db
    .deleteFrom('inbox_states')
    .where('changed_at', '<', new Date(now.getTime() - KEPT_MS))
    .where(sql<boolean>`not (key = any(${current}::text[]))`)
    .executeTakeFirst();
  await db
    .deleteFrom('balance_refusals')
    .where('last_at', '<=', new Date(now.getTime() - REFUSED_RECENTLY_MS))
    .execute();
  return Number(numDeletedRows);
}
