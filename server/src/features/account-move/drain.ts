import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  activateShipmentJob,
  notifyDriversJob,
  searchDriverJob,
  sendMemberMailJob,
  sendPushJob,
} from '../../jobs/definitions.ts';
import { type Move, MoveRefused } from './move.ts';

const POLL_MS = 200;
/** Processes refuse a key within a second of the freeze (docs/decisions/freshness.md), and requests under way end. */
const SETTLE_MS = 1_000;

/** Pushes to drivers of the source write nothing of the account: they end there. */
const OF_DRIVERS = [notifyDriversJob.name, sendPushJob.name];
/** These wait for a time and may run in either cell: a due one does not have to run before the move. */
const MAY_WAIT = [searchDriverJob.name, activateShipmentJob.name];

/** Jobs of the accounts $1, of `j`. */
export const OF_ACCOUNTS = `(
    (j.data->>'accountId' = any($1::text[]) and j.name <> all('{${OF_DRIVERS.join(',')}}'))
    or (j.name = '${sendMemberMailJob.name}' and j.data->>'id' in (
      select id::text from members where account_id::text = any($1::text[])
      union all select id::text from member_invitations where account_id::text = any($1::text[]))))`;

/** Work that has begun and whose outcome is not recorded: it would be done again in the other cell. */
const UNDER_WAY = `
  select 'messages being sent' as what, count(*)::int as many from messages
  where account_id = any($1::uuid[]) and status = 'sending'
  union all
  select 'webhook requests under way', count(*)::int from webhook_deliveries
  where account_id = any($1::uuid[]) and status = 'pending' and attempts > recorded
  union all
  select 'running jobs ' || j.name, count(*)::int from pgboss.job j
  where j.state = 'active' and ${OF_ACCOUNTS} group by j.name`;

const DUE = `
  select 'due jobs ' || j.name as what, count(*)::int as many from pgboss.job j
  where j.state in ('created', 'retry') and j.start_after <= now() and j.name <> all('{${MAY_WAIT.join(',')}}')
    and ${OF_ACCOUNTS} group by j.name`;

interface Work {
  what: string;
  many: number;
}

async function read(from: pg.Client, query: string, ids: string[]): Promise<Work[]> {
  const { rows } = await from.query<Work>(query, [ids]);
  return rows.filter(({ many }) => many > 0);
}

export const findUnderWay = (from: pg.Client, ids: string[]): Promise<Work[]> => read(from, UNDER_WAY, ids);

/** Lets the workers of the source finish what the account has begun: requests no longer reach it. */
export async function drain({ from, ids, drainSeconds, onProgress }: Move): Promise<void> {
  await sleep(SETTLE_MS);
  const deadline = performance.now() + drainSeconds * 1_000;
  for (;;) {
    const work = await read(from, `${UNDER_WAY} union all ${DUE}`, ids);
    if (work.length === 0) return;
    const detail = describe(work);
    onProgress({ step: 'drain', detail });
    if (performance.now() > deadline)
      throw new MoveRefused(`work of the account did not end in ${drainSeconds} s: ${detail}. Is a worker running?`);
    await sleep(POLL_MS);
  }
}

export const describe = (work: Work[]): string => work.map(({ what, many }) => `${what}: ${many}`).join(', ');
