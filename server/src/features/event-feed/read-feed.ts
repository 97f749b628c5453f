import type { FeedEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';

export interface FeedPage {
  events: FeedEvent[];
  /** Position of the last event that was read, or `after`. */
  end: number;
  hasMore: boolean;
}

interface FeedRow {
  position: number;
  id: string;
  event: FeedEvent['event'];
  body: string | null;
}

/** Events after a position, in order. An old event, or one whose shipment was erased, has no body and is left out. */
export async function readFeed(db: Database, accountId: string, after: number, limit: number): Promise<FeedPage> {
  // feed_position > 0 is the condition of the index.
  const { rows } = await sql<FeedRow>`
    select feed_position as position, id, type as event, body from events
    where account_id = ${accountId} and feed_position > 0 and feed_position > ${after}
    order by feed_position limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const events = page.flatMap(({ position, id, event, body }) =>
    body === null ? [] : { cursor: String(position), id, event, body },
  );
  return { events, end: page.at(-1)?.position ?? after, hasMore: rows.length > limit };
}

/** The latest position of the account. Events without a position get theirs first. */
export async function readFeedEnd(db: Database, accountId: string): Promise<number> {
  const [state] = await readFeedStates(db, [accountId]);
  if (!state) return 0;
  return state.isBehind ? assignPositions(db, accountId) : state.end;
}

/** Compared with a position, these tell whether the account has news. */
export async function readFeedStates(
  db: Database,
  accountIds: readonly string[],
): Promise<{ accountId: string; end: number; isBehind: boolean }[]> {
  const { rows } = await sql<{ accountId: string; end: number; isBehind: boolean }>`
    select c.account_id as "accountId", c.last_event as end,
      exists (select from events e where e.account_id = c.account_id and e.feed_position is null) as "isBehind"
    from account_counters c where c.account_id = any(${accountIds}::uuid[])`.execute(db);
  return rows;
}

/**
 * Gives positions to events that a process of the previous version wrote, in the order of their ids. Such an event may
 * commit after one with a later id was read: it gets the next position, so the feed still has it. The counters are locked
 * as by every other writer of positions. Returns the latest position.
 */
async function assignPositions(db: Database, accountId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { last } = await tx
      .selectFrom('account_counters')
      .select('last_event as last')
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ position: number }>`
      update events e set feed_position = ${last} + numbered.nth
      from (select id, row_number() over (order by id) as nth from events
            where account_id = ${accountId} and feed_position is null) numbered
      where e.account_id = ${accountId} and e.id = numbered.id and e.feed_position is null
      returning e.feed_position as position`.execute(tx);
    const end = Math.max(last, ...rows.map(({ position }) => position));
    await tx.updateTable('account_counters').set({ last_event: end }).where('account_id', '=', accountId).execute();
    return end;
  });
}

const NEAR = 100; // events: ids follow the clocks of several processes, positions the order of commits

/** The position before the first event since then. Ids begin with the time, so this is a range of the primary key. */
export async function findPositionBefore(db: Database, accountId: string, since: Date, end: number): Promise<number> {
  const { rows } = await sql<{ first: number | null }>`
    select min(feed_position) as first from (
      select feed_position from events
      where account_id = ${accountId} and id >= ${firstIdAt(since)}::uuid and feed_position > 0
      order by id limit ${NEAR}) near`.execute(db);
  return rows[0]?.first ? rows[0].first - 1 : end;
}
