import type { ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { DecisionDetails } from '../../database/json-columns.ts';
import type { DecisionKind } from './decisions.ts';
import { findAnyShipment } from './operator.ts';

export interface ExplanationLine {
  at: Date;
  text: string;
}

export interface Explanation {
  referenceNumber: string;
  status: ShipmentStatus;
  lines: ExplanationLine[];
}

type Looked = NonNullable<DecisionDetails['looked']>;
type Named = (id: string | null) => string;

/** All decisions about the driver of a shipment of any account, in chronological order. */
export async function explainAnyShipment(db: Database, referenceNumber: string): Promise<Explanation | null> {
  const shipment = await findAnyShipment(db, referenceNumber);
  if (!shipment) return null;
  const of = [shipment.accountId, shipment.id] as const;
  const [decisions, offers] = await Promise.all([readDecisions(db, ...of), readOffers(db, ...of)]);
  const name = await readNames(db, [
    ...decisions.flatMap(({ driver_id, details }) => [
      driver_id,
      ...(details.looked ?? []).map(({ driverId }) => driverId),
      details.previous ?? null,
    ]),
    ...offers.map(({ driver_id }) => driver_id),
  ]);
  const lines = [
    ...decisions.map(({ at, kind, driver_id, details }) => ({
      at,
      rank: RANK[kind] ?? 0,
      text: describeDecision(kind, name(driver_id), details, name),
    })),
    ...offers.flatMap((offer) => describeOffer(offer, name(offer.driver_id))),
  ];
  lines.sort((a, b) => a.at.getTime() - b.at.getTime() || a.rank - b.rank);
  return {
    referenceNumber: shipment.referenceNumber,
    status: shipment.status as ShipmentStatus,
    lines: lines.map(({ at, text }) => ({ at, text })),
  };
}

/** Decisions of one transaction have the same time. The rank orders them. */
const RANK: Partial<Record<DecisionKind, number>> = {
  started: 0,
  considered: 2,
  assigned: 5,
  'nobody left': 5,
  stopped: 5,
};
const EXPIRED = 1;
const OFFERED = 3;
const ANSWERED = 6;

const km = (metres = 0) => `${(metres / 1000).toFixed(1)} km`;

function describeDecision(kind: DecisionKind, driver: string, details: DecisionDetails, name: Named): string {
  switch (kind) {
    case 'started':
      return `Search for a driver started: ${details.cause}.`;
    case 'considered':
      return `Wave ${details.wave}${(details.round ?? 1) > 1 ? `, try ${details.round}` : ''}: ${listDrivers(details.looked ?? [], name)}.`;
    case 'assigned':
      return describeAssignment(driver, details, name);
    case 'nobody left':
      return `Nobody left to ask: ${listDrivers(details.looked ?? [], name)}. Listed to the operator as unassigned, and retried regularly.`;
    case 'needs location':
      return 'An address has no coordinates: no driver is searched until the operator provides them.';
    case 'geocoder away':
      return 'The geocoder did not respond: retried regularly.';
    case 'positions unknown':
      return 'Driver positions could not be read: retried every few seconds.';
    case 'abandoned':
      return `${driver} gave it back${details.reason ? `: “${details.reason}”` : ', without a reason'}.`;
    case 'taken away':
      return `The operator took it from ${driver}.`;
    case 'stopped':
      return `Search stopped: the shipment is ${details.status}.`;
    case 'returned':
      return `The operator closed it as returned to the sender: “${details.reason}”.`;
    case 'time not used':
      return `${driver}’s phone gave the time ${details.doneAt} for “${details.status?.replace('_', ' ')}”. It was not used, because it is ${details.why}.`;
    case 'delivery confirmed':
      return `The operator confirmed the delivery without the code: “${details.reason}”.`;
  }
}

function describeAssignment(driver: string, { by, metres, previous }: DecisionDetails, name: Named): string {
  if (by === 'dispatch') return `Assigned to ${driver}, who takes every run, ${km(metres)} away.`;
  if (by === 'driver') return `Assigned to ${driver}, who was first to accept, ${km(metres)} away.`;
  return `The operator assigned it to ${driver}${previous ? `, instead of ${name(previous)}` : ''}.`;
}

function listDrivers(looked: Looked, name: Named): string {
  if (looked.length === 0) return 'no driver near';
  return looked
    .map(({ driverId, metres, obstacle }) => `${name(driverId)} ${km(metres)}${obstacle ? ` (${obstacle})` : ''}`)
    .join(', ');
}

type OfferRow = Awaited<ReturnType<typeof readOffers>>[number];

function describeOffer({ offered_at, expires_at, answer, answered_at, metres }: OfferRow, driver: string) {
  if (answer === 'assigned') return [];
  const seconds = Math.round((expires_at.getTime() - offered_at.getTime()) / 1000);
  const offered = {
    at: offered_at,
    rank: OFFERED,
    text: `Offered to ${driver}, ${km(metres)} away, for ${seconds} s.`,
  };
  if (!answer || !answered_at || answer === 'accepted') return [offered];
  const text = {
    refused: `${driver} refused.`,
    expired: `${driver} did not answer.`,
    withdrawn: `Offer to ${driver} withdrawn.`,
  };
  const rank = answer === 'expired' ? EXPIRED : ANSWERED;
  return [offered, { at: answered_at, rank, text: text[answer as keyof typeof text] }];
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

async function readNames(db: Database, ids: (string | null)[]): Promise<(id: string | null) => string> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows =
    wanted.length === 0
      ? []
      : await db.selectFrom('drivers').select(['id', 'first_name', 'last_name']).where('id', 'in', wanted).execute();
  const names = new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
  return (id) => (id === null ? 'nobody' : (names.get(id) ?? id));
}
