import type { ShipmentPage, StoryLine } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type Arrivals, presentArrival } from '../arrival/index.ts';
import { findAnyShipment, readDispatchStory } from '../dispatch/index.ts';
import { listShipmentPay } from '../driver-pay/index.ts';
import { listIncidentsForStaff } from '../incidents/index.ts';
import { listShipmentEntries } from '../ledger/index.ts';
import { listMessagesForStaff } from '../messages/index.ts';
import { listShipmentProofs } from '../proofs/index.ts';
import { listShipmentReports } from '../recipient-reports/index.ts';
import { listShipmentDeliveries } from '../webhooks/index.ts';
import { presentShipment, readAnyRow } from './read-shipment-facts.ts';
import { readDistances } from './step-places.ts';
import { tellStory } from './tell-story.ts';

export interface PageContext {
  db: Database;
  timeZone: string;
  now: Date;
  /** The role may see who gets the parcel. */
  showsPerson: boolean;
  arrivals: Arrivals;
}

/** A shipment of any account with its whole story. Every part is read by an index of that shipment. */
export async function readAnyShipmentPage(
  { db, timeZone, now, showsPerson, arrivals }: PageContext,
  referenceOrId: string,
): Promise<{ shipment: ShipmentPage; story: StoryLine[] } | null> {
  const found = await findAnyShipment(db, referenceOrId);
  if (!found) return null;
  const { accountId, id } = found;
  const [row, dispatch, messages, deliveries, money, pay, incidents, proofs, reports, acts] = await Promise.all([
    readAnyRow(db, id),
    readDispatchStory(db, accountId, id),
    listMessagesForStaff(db, accountId, id, now),
    listShipmentDeliveries(db, accountId, id),
    listShipmentEntries(db, accountId, id),
    listShipmentPay(db, accountId, id),
    listIncidentsForStaff(db, accountId, id),
    showsPerson ? listShipmentProofs(db, accountId, id) : [],
    showsPerson ? listShipmentReports(db, accountId, id) : [],
    listActsOn(db, id),
  ]);
  if (!row) return null;
  const expected = await arrivals.ofDrivers(row.driver_id ? [row.driver_id] : [], now);
  const story = tellStory({
    history: row.status_history,
    doneAt: {
      picked_up: row.picked_up_at?.toISOString() ?? null,
      delivered: row.delivered_at?.toISOString() ?? null,
    },
    metresAway: showsPerson ? await readDistances(db, row) : {},
    cancellation: row.cancelled_at ? { reason: row.cancel_reason, by: row.cancelled_by } : null,
    ...{ dispatch, messages, deliveries, money, pay, incidents, proofs, reports, acts },
  });
  return {
    shipment: {
      ...presentShipment(row, showsPerson, timeZone, now),
      arrival: presentArrival(expected.get(id)),
    },
    story: showsPerson ? story : story.map(withoutPerson),
  };
}

const MOST_ACTS = 200;

async function listActsOn(db: Database, shipmentId: string) {
  const { rows } = await sql<{ at: Date; act: string; actor: string; reason: string | null }>`
    select at, act, actor, reason from operator_acts where subject_id = ${shipmentId}
    order by number desc limit ${MOST_ACTS}`.execute(db);
  return rows;
}

/** Free texts and contacts may name the recipient. */
const PERSONAL = ['to', 'note', 'reason', 'leftWith', 'signerName'];

function withoutPerson(line: StoryLine): StoryLine {
  const facts = Object.fromEntries(Object.entries(line.facts).filter(([name]) => !PERSONAL.includes(name)));
  return { ...line, facts };
}
