import type { ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { DecisionDetails, DecisionKind } from './decisions.ts';
import { findAnyShipment } from './operator.ts';

export interface StoryLine {
  at: Date;
  text: string;
}

export interface Story {
  referenceNumber: string;
  status: ShipmentStatus;
  lines: StoryLine[];
}

type Looked = NonNullable<DecisionDetails['looked']>;
type Named = (id: string | null) => string;

/** Everything that was decided about the driver of any account's shipment, in the order in which it happened. */
export async function explainAnyShipment(db: Database, referenceNumber: string): Promise<Story | null> {
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
      text: tell(kind, name(driver_id), details, name),
    })),
    ...offers.flatMap((offer) => tellOffer(offer, name(offer.driver_id))),
  ];
  lines.sort((a, b) => a.at.getTime() - b.at.getTime() || a.rank - b.rank);
  return {
    referenceNumber: shipment.referenceNumber,
    status: shipment.status as ShipmentStatus,
    lines: lines.map(({ at, text }) => ({ at, text })),
  };
}

/** What happened in one transaction has one time: this is the order in which it is told. */
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

function tell(kind: DecisionKind, driver: string, details: DecisionDetails, name: Named): string {
  switch (kind) {
    case 'started':
      return `Search for a driver started: ${details.cause}.`;
    case 'considered':
      return `Wave ${details.wave}${(details.round ?? 1) > 1 ? `, try ${details.round}` : ''}: ${around(details.looked ?? [], name)}.`;
    case 'assigned':
      return tellAssignment(driver, details, name);
    case 'nobody left':
      return `Nobody left to ask: ${around(details.looked ?? [], name)}. Shown to the operator as unassigned, and tried again regularly.`;
    case 'needs location':
      return 'An address is nowhere on the map: no driver is searched until the operator gives its place.';
    case 'geocoder away':
      return 'The geocoder did not answer where an address is: asked again regularly.';
    case 'positions unknown':
      return 'Driver positions could not be read: tried again every few seconds.';
    case 'abandoned':
      return `${driver} gave it back${details.reason ? `: “${details.reason}”` : ', without a reason'}.`;
    case 'taken away':
      return `The operator took it from ${driver}.`;
    case 'stopped':
      return `Search stopped: the shipment is ${details.status}.`;
    case 'delivery confirmed':
      return `The operator confirmed the delivery without the code: “${details.reason}”.`;
  }
}

function tellAssignment(driver: string, { by, metres, previous }: DecisionDetails, name: Named): string {
  if (by === 'dispatch') return `Assigned to ${driver}, who takes every run, ${km(metres)} away.`;
  if (by === 'driver') return `Assigned to ${driver}, who was first to accept, ${km(metres)} away.`;
  return `The operator assigned it to ${driver}${previous ? `, instead of ${name(previous)}` : ''}.`;
}

function around(looked: Looked, name: Named): string {
  if (looked.length === 0) return 'no driver near';
  return looked
    .map(({ driverId, metres, obstacle }) => `${name(driverId)} ${km(metres)}${obstacle ? ` (${obstacle})` : ''}`)
    .join(', ');
}

type OfferRow = Awaited<ReturnType<typeof readOffers>>[number];

function tellOffer({ offered_at, expires_at, answer, answered_at, metres }: OfferRow, driver: string) {
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
  return rows.map(({ kind, details, ...row }) => ({
    ...row,
    kind: kind as DecisionKind,
    details: details as DecisionDetails,
  }));
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
