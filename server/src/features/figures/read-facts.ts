import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type EndedIncident, type EndedRun, factOfIncident, factOfRun } from './facts.ts';
import type { Fact } from './tally.ts';

/** A row of figures_pending. */
export interface Pending {
  subject: 'run' | 'incident';
  accountId: string;
  id: string;
}

/** A part of a local day. */
export interface Window {
  from: Date;
  before: Date;
}

const PAGE = 5_000; // rows; about 5 MB

/** Test twins and their robots are no business of the company. */
const OF_LIVE_ACCOUNT = sql`join accounts live on live.id = s.account_id and live.live_account_id is null`;
/** Runs that another cell has counted came with their account. */
const isCountedHere = (at: RawBuilder<unknown>) => sql`(live.arrived_at is null or ${at} >= live.arrived_at)`;
const ENDED_AT = sql<Date>`greatest(s.delivered_at, s.cancelled_at, s.returned_at)`; // uses the index shipments_by_end
const RUN = sql`
  s.id, s.account_id as "accountId", s.driver_id as "driverId", s.delivery_address->>'postalCode' as "postalCode",
  s.price_cents as "priceCents", s.driver_pay_cents as "payCents", s.created_at as "createdAt",
  s.activate_at as "activateAt", s.slot_starts_at as "slotStartsAt", s.estimated_delivery_at as "estimatedDeliveryAt",
  s.delivered_at as "deliveredAt", s.cancelled_at as "cancelledAt", s.returned_at as "returnedAt",
  s.status_history as history`;
const INCIDENT = sql`
  i.account_id as "accountId", i.driver_id as "driverId", s.delivery_address->>'postalCode' as "postalCode", i.kind,
  i.happened_at as "happenedAt"`;

/** The facts of pending rows. Rows of test twins, and of shipments that a twin no longer has, have none. */
export async function readPendingFacts(db: Database, pending: Pending[], timeZone: string): Promise<Fact[]> {
  const [runs, incidents] = await Promise.all([
    sql<EndedRun>`
      select ${RUN} from ${pendingOf(pending, 'run')}
      join shipments s on (s.account_id, s.id) = (pending."accountId", pending.id) ${OF_LIVE_ACCOUNT}`.execute(db),
    sql<EndedIncident>`
      select ${INCIDENT} from ${pendingOf(pending, 'incident')}
      join incidents i on (i.account_id, i.id) = (pending."accountId", pending.id)
      join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id) ${OF_LIVE_ACCOUNT}`.execute(db),
  ]);
  return [...runs.rows.flatMap((run) => factOfRun(run, timeZone) ?? []), ...incidents.rows.map(factOfIncident)];
}

const pendingOf = (pending: Pending[], wanted: Pending['subject']) => {
  const rows = JSON.stringify(pending.filter(({ subject }) => subject === wanted));
  return sql`json_to_recordset(${rows}) as pending ("accountId" uuid, id uuid)`;
};

/** The facts of all runs and incidents of a time, recomputed from their rows, page by page. */
export async function* readFactsOf(db: Database, window: Window, timeZone: string): AsyncGenerator<Fact[]> {
  for await (const runs of pagesOfEndedRuns(db, window)) yield runs.flatMap((run) => factOfRun(run, timeZone) ?? []);
  const { rows } = await sql<EndedIncident>`
    select ${INCIDENT} from incidents i
    join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id) ${OF_LIVE_ACCOUNT}
    where i.happened_at >= ${window.from} and i.happened_at < ${window.before} and i.resolved_at is not null
      and ${isCountedHere(sql`i.happened_at`)}`.execute(db);
  yield rows.map(factOfIncident);
}

async function* pagesOfEndedRuns(db: Database, { from, before }: Window): AsyncGenerator<EndedRun[]> {
  let after: { endedAt: string; id: string } | null = null;
  do {
    const page = await readEndedRuns(db, { from, before }, after);
    yield page;
    const last = page.length === PAGE ? page.at(-1) : undefined;
    after = last ? { endedAt: last.endedAt, id: last.id } : null;
  } while (after);
}

/** In the order of their ends, to the microsecond: a text, because a Date has milliseconds. */
export async function readEndedRuns(
  db: Database,
  { from, before }: Window,
  after: { endedAt: string; id: string } | null,
): Promise<(EndedRun & { id: string; endedAt: string })[]> {
  const { rows } = await sql<EndedRun & { id: string; endedAt: string }>`
    select ${RUN}, ${ENDED_AT}::text as "endedAt" from shipments s ${OF_LIVE_ACCOUNT}
    where ${ENDED_AT} is not null and ${ENDED_AT} >= ${after?.endedAt ?? from.toISOString()}::timestamptz
      and ${ENDED_AT} < ${before} and ${isCountedHere(ENDED_AT)}
      ${after ? sql`and (${ENDED_AT}, s.id) > (${after.endedAt}::timestamptz, ${after.id}::uuid)` : sql``}
    order by ${ENDED_AT}, s.id limit ${PAGE}`.execute(db);
  return rows;
}
