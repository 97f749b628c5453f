import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { giveWay } from '../../database/give-way.ts';
import { FOLLOWED_TABLES } from './inventory.ts';
import { inTransaction, literals, type Move, MoveRefused, nameOf } from './move.ts';

const POLL_MS = 250;
const SLOW_POLL_MS = 1_000;
const CATCH_UP_MS = 300_000;

/**
 * The rows of the accounts, and the row of the move as a fence: replication applies commits in their order. The slot is
 * created by a statement of its own, because CREATE SUBSCRIPTION would wait for itself where both databases are on one
 * server. Each part is skipped when an earlier run has created it.
 */
export async function startCopy(move: Move): Promise<void> {
  const { from, to, accountId, ids, source } = move;
  const name = nameOf(accountId);
  if (!(await exists(from, 'select from pg_publication where pubname = $1', name))) {
    const tables = FOLLOWED_TABLES.map((table) => `${table.name} where (${isOneOf(ids)})`);
    const fence = `account_moves where (account_id = ${literals([accountId])})`;
    await giveWay(() =>
      from.query(
        `create publication ${name} for table ${[...tables, fence].join(', ')} with (publish_via_partition_root = true)`,
      ),
    );
  }
  if (!(await exists(from, 'select from pg_replication_slots where slot_name = $1', name)))
    await createSlot(from, name);
  if (!(await exists(to, `select from pg_subscription where ${isHere}`, name)))
    await giveWay(() =>
      to.query(`create subscription ${name} connection ${literals([source.urlForTarget ?? source.url])}
        publication ${name} with (create_slot = false, slot_name = ${name})`),
    );
}

/** Waits, without holding up anybody, for every transaction of the server that has written before, also in other databases. */
async function createSlot(from: pg.Client, name: string): Promise<void> {
  await inTransaction(from, async () => {
    await from.query('set local lock_timeout = 0');
    await from.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name]);
  });
}

const isOneOf = (ids: string[]) => ids.map((id) => `account_id = ${literals([id])}`).join(' or ');
/** Subscriptions of all databases of a server are in one catalogue. */
const isHere = 'subname = $1 and subdbid = (select oid from pg_database where datname = current_database())';

async function exists(client: pg.Client, query: string, name: string): Promise<boolean> {
  return (await client.query(query, [name])).rows.length > 0;
}

interface CopyState {
  ready: number;
  tables: number;
  errors: number;
  rows: number;
}

/** Waits until every table is copied and follows the changes. */
export async function waitForCopy({ to, accountId, onProgress }: Move): Promise<void> {
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, SLOW_POLL_MS)) {
    const { ready, tables, rows } = await readCopyState(to, accountId);
    onProgress({ step: 'copy', detail: `${ready} of ${tables} tables follow, ${rows} rows in the others so far` });
    if (tables > 0 && ready === tables) return;
    await sleep(wait);
  }
}

async function readCopyState(to: pg.Client, accountId: string): Promise<CopyState> {
  const { rows } = await to.query<CopyState>(
    `select (select count(*) filter (where srsubstate in ('r', 's')) from pg_subscription_rel where srsubid = s.oid)::int
              as ready,
       (select count(*) from pg_subscription_rel where srsubid = s.oid)::int as tables,
       coalesce((select apply_error_count + sync_error_count from pg_stat_subscription_stats where subid = s.oid), 0)::int
         as errors,
       (select coalesce(sum(tuples_processed), 0) from pg_stat_progress_copy
        where datname = current_database() and type = 'CALLBACK')::float8 as rows
     from pg_subscription s where ${isHere}`,
    [nameOf(accountId)],
  );
  const [state] = rows;
  if (!state) throw new MoveRefused('the subscription is gone from the target');
  if (state.errors > 0)
    throw new MoveRefused('the target could not apply a row: its server log names the row and the reason');
  return state;
}

/** Returns when the target has applied every change that the source committed before this call. */
export async function catchUp({ from, to, accountId }: Move): Promise<void> {
  const { rows } = await from.query<{ fence: string }>(
    'update account_moves set fence = fence + 1 where account_id = $1 returning fence',
    [accountId],
  );
  const fence = Number(rows[0]?.fence);
  const deadline = performance.now() + CATCH_UP_MS;
  for (;;) {
    const seen = await to.query<{ fence: string }>('select fence from account_moves where account_id = $1', [
      accountId,
    ]);
    if (Number(seen.rows[0]?.fence ?? -1) >= fence) return;
    await readCopyState(to, accountId); // throws when an error stops it
    if (performance.now() > deadline)
      throw new MoveRefused('the copy did not catch up with the source in five minutes');
    await sleep(POLL_MS / 5);
  }
}

/**
 * Removes slots, subscription and publication, whichever exist. The slots matter: one without a reader keeps WAL for ever.
 * They come first, since the subscription's number is part of their names. Dropping it waits for its last reader: from then
 * on no change of the source reaches the target.
 */
export async function endCopy({ from, to, accountId }: Pick<Move, 'from' | 'to' | 'accountId'>): Promise<void> {
  const name = nameOf(accountId);
  const { rows } = await to.query<{ oid: string }>(`select oid::text from pg_subscription where ${isHere}`, [name]);
  const subscription = rows[0]?.oid;
  if (subscription) {
    await giveWay(() => to.query(`alter subscription ${name} disable`));
    await dropSlots(from, name, subscription);
    await giveWay(() => to.query(`alter subscription ${name} set (slot_name = none)`));
    await giveWay(() => to.query(`drop subscription ${name}`)); // locks a catalogue that all databases of the server share
  }
  await dropSlots(from, name, undefined);
  await giveWay(() => from.query(`drop publication if exists ${name}`));
  await to.query('delete from account_moves where account_id = $1', [accountId]);
}

/** Also those of tables whose copy was interrupted, which PostgreSQL names by the subscription. */
async function dropSlots(from: pg.Client, name: string, subscription: string | undefined): Promise<void> {
  const pattern = subscription ? `^pg_${subscription}_sync_` : '^$';
  for (let attempt = 0; ; attempt++) {
    const { rows } = await from.query<{ slot: string; pid: number | null }>(
      `select slot_name as slot, active_pid as pid from pg_replication_slots
       where database = current_database() and (slot_name = $1 or slot_name ~ $2)`,
      [name, pattern],
    );
    if (rows.length === 0) return;
    for (const { slot, pid } of rows) {
      if (pid !== null)
        await from.query('select pg_terminate_backend($1)', [pid]); // its reader has ended already
      else await from.query('select pg_drop_replication_slot($1)', [slot]);
    }
    if (attempt > 100) throw new MoveRefused(`the replication slot ${rows[0]?.slot} is still in use on the source`);
    await sleep(POLL_MS / 5);
  }
}
