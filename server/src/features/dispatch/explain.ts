import type { ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { type DispatchStep, readDispatchStory } from './dispatch-story.ts';
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

/** All decisions about the driver of a shipment of any account in words, in chronological order. */
export async function explainAnyShipment(db: Database, referenceNumber: string): Promise<Explanation | null> {
  const shipment = await findAnyShipment(db, referenceNumber);
  if (!shipment) return null;
  const steps = await readDispatchStory(db, shipment.accountId, shipment.id);
  const summary = await readSummary(db, shipment.accountId, shipment.id);
  return {
    referenceNumber: shipment.referenceNumber,
    status: shipment.status as ShipmentStatus,
    lines: [...summary, ...steps.map((step) => ({ at: step.at, text: describe(step) }))],
  };
}

/** The summary of the searches of a shipment that ended long ago. */
async function readSummary(db: Database, accountId: string, shipmentId: string): Promise<ExplanationLine[]> {
  const found = await db
    .selectFrom('dispatch_summaries')
    .select(['searches', 'offers', 'refused', 'expired', 'withdrawn', 'started_at as at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirst();
  if (!found) return [];
  const { at, searches, offers, refused, expired, withdrawn } = found;
  const answers = `${refused} refused, ${expired} not answered, ${withdrawn} withdrawn`;
  return [{ at, text: `Searches for a driver: ${searches}. Offers: ${offers}, of which ${answers}.` }];
}

const km = (metres: number | null) => `${((metres ?? 0) / 1000).toFixed(1)} km`;

function describe(step: DispatchStep): string {
  const { kind, details, metres, seconds } = step;
  const driver = step.driver?.name ?? 'nobody';
  switch (kind) {
    case 'started':
      return `Search for a driver started: ${details.cause}.`;
    case 'considered':
      return `Wave ${details.wave}${(details.round ?? 1) > 1 ? `, try ${details.round}` : ''}: ${listDrivers(step)}.`;
    case 'assigned':
      return describeAssignment(step, driver);
    case 'nobody left':
      return `Nobody left to ask: ${listDrivers(step)}. Listed to the operator as unassigned, and retried regularly.`;
    case 'needs location':
      return 'An address has no coordinates: no driver is searched until the operator provides them.';
    case 'geocoder away':
      return 'The geocoder did not respond: retried regularly.';
    case 'positions unknown':
      return 'Driver positions could not be read: retried every few seconds.';
    case 'offers stopped':
      return `It lies in a zone without offers until ${details.until}: “${details.reason}”. The search goes on when the zone ends.`;
    case 'abandoned':
      return `${driver} gave it back${details.reason ? `: “${details.reason}”` : ', without a reason'}.`;
    case 'taken away':
      return `The operator took it from ${driver}.`;
    case 'assignment undone':
      return `The operator undid the assignment to ${driver}${step.previous ? `: ${step.previous.name} has it again` : ''}.`;
    case 'stopped':
      return `Search stopped: the shipment is ${details.status}.`;
    case 'returned':
      return `The operator closed it as returned to the sender: “${details.reason}”.`;
    case 'time not used':
      return `${driver}’s phone gave the time ${details.doneAt} for “${details.status?.replace('_', ' ')}”. It was not used, because it is ${details.why}.`;
    case 'delivery confirmed':
      return `The operator confirmed the delivery without the code: “${details.reason}”.`;
    case 'offered':
      return `Offered to ${driver}, ${km(metres)} away, for ${seconds} s.`;
    case 'refused':
      return `${driver} refused.`;
    case 'expired':
      return `${driver} did not answer.`;
    case 'withdrawn':
      return `Offer to ${driver} withdrawn.`;
  }
}

function describeAssignment({ details: { by }, metres, previous }: DispatchStep, driver: string): string {
  if (by === 'dispatch') return `Assigned to ${driver}, who takes every run, ${km(metres)} away.`;
  if (by === 'driver') return `Assigned to ${driver}, who was first to accept, ${km(metres)} away.`;
  return `The operator assigned it to ${driver}${previous ? `, instead of ${previous.name}` : ''}.`;
}

function listDrivers({ looked }: DispatchStep): string {
  if (looked.length === 0) return 'no driver near';
  return looked
    .map(({ driver, metres, obstacle }) => `${driver.name} ${km(metres)}${obstacle ? ` (${obstacle})` : ''}`)
    .join(', ');
}
