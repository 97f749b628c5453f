import type { Database } from '../../database/database.ts';
import type { DecisionDetails } from '../../database/json-columns.ts';
import type { DecisionKind } from './decisions.ts';

type OfferStep = 'offered' | 'refused' | 'expired' | 'withdrawn';

interface Named {
  id: string;
  name: string;
}

/** A decision about the driver of a shipment, or a step of an offer, with the drivers' names. */
export interface DispatchStep {
  at: Date;
  kind: DecisionKind | OfferStep;
  driver: Named | null;
  /** Of an assignment or an offer. */
  metres: number | null;
  /** Of an offer. */
  seconds: number | null;
  /** The driver before, of an assignment by the operator. */
  previous: Named | null;
  /** The drivers that a wave considered, nearest first. */
  looked: { driver: Named; metres: number; obstacle: string | null }[];
  details: DecisionDetails;
}

/** All decisions about the driver of a shipment, in chronological order. */
export async function readDispatchStory(db: Database, accountId: string, shipmentId: string): Promise<DispatchStep[]> {
  const [decisions, offers] = await Promise.all([
    readDecisions(db, accountId, shipmentId),
    readOffers(db, accountId, shipmentId),
  ]);
  const named = await readNames(db, [
    ...decisions.flatMap(({ driver_id, details }) => [
      driver_id,
      ...(details.looked ?? []).map(({ driverId }) => driverId),
      details.previous ?? null,
    ]),
    ...offers.map(({ driver_id }) => driver_id),
  ]);
  const steps = [
    ...decisions.map(({ at, kind, driver_id, details }) => ({
      rank: RANK[kind] ?? 0,
      ...{ at, kind, details, driver: driver_id === null ? null : named(driver_id), seconds: null },
      metres: details.metres ?? null,
      previous: details.previous ? named(details.previous) : null,
      looked: (details.looked ?? []).map(({ driverId, ...one }) => ({ ...one, driver: named(driverId) })),
    })),
    ...offers.flatMap((offer) => stepsOfOffer(offer, named(offer.driver_id))),
  ];
  steps.sort((a, b) => a.at.getTime() - b.at.getTime() || a.rank - b.rank);
  return steps.map(({ at, kind, driver, metres, seconds, previous, looked, details }) => ({
    ...{ at, kind, driver, metres, seconds, previous, looked, details },
  }));
}

/** Decisions of one transaction have the same time. The rank orders them. */
const RANK: Partial<Record<DecisionKind, number>> = {
  started: 0,
  considered: 2,
  assigned: 5,
  'nobody left': 5,
  stopped: 5,
  'offers stopped': 7, // after the offers that it withdraws
};
const EXPIRED = 1;
const OFFERED = 3;
const ANSWERED = 6;

type OfferRow = Awaited<ReturnType<typeof readOffers>>[number];
type RankedStep = DispatchStep & { rank: number };

function stepsOfOffer(offer: OfferRow, driver: Named): RankedStep[] {
  const { offered_at, expires_at, answer, answered_at, metres } = offer;
  if (answer === 'assigned') return [];
  const same = { driver, metres, previous: null, looked: [], details: {} };
  const seconds = Math.round((expires_at.getTime() - offered_at.getTime()) / 1000);
  const offered = { ...same, at: offered_at, kind: 'offered' as const, rank: OFFERED, seconds };
  if (!answer || !answered_at || answer === 'accepted') return [offered];
  const rank = answer === 'expired' ? EXPIRED : ANSWERED;
  return [offered, { ...same, at: answered_at, kind: answer as OfferStep, rank, seconds: null }];
}

async function readDecisions(db: Database, accountId: string, shipmentId: string) {
  const rows = await db
    .selectFrom('dispatch_decisions')
    .select(['at', 'kind', 'driver_id', 'details'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('number')
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as DecisionKind }));
}

const readOffers = (db: Database, accountId: string, shipmentId: string) =>
  db
    .selectFrom('driver_offers')
    .select(['driver_id', 'metres', 'offered_at', 'expires_at', 'answer', 'answered_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('metres')
    .execute();

async function readNames(db: Database, ids: (string | null)[]): Promise<(id: string) => Named> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows =
    wanted.length === 0
      ? []
      : await db.selectFrom('drivers').select(['id', 'first_name', 'last_name']).where('id', 'in', wanted).execute();
  const names = new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
  return (id) => ({ id, name: names.get(id) ?? id });
}
