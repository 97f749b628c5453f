import type { QueryCreator } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { DecisionDetails } from '../../database/json-columns.ts';
import type { DB } from '../../database/tables.ts';

/** The decisions of a search other than its offers. `navette shipment explain` turns each into a sentence. */
export type DecisionKind =
  | 'started'
  | 'considered'
  | 'assigned'
  | 'nobody left'
  | 'needs location'
  | 'geocoder away'
  | 'positions unknown'
  | 'offers stopped'
  | 'abandoned'
  | 'taken away'
  | 'assignment undone'
  | 'stopped'
  | 'delivery confirmed'
  | 'returned'
  | 'time not used';

export interface Decision {
  accountId: string;
  shipmentId: string;
  searchId?: string | null;
  kind: DecisionKind;
  at: Date;
  driverId?: string | null;
  details?: DecisionDetails;
}

export async function recordDecision(tx: Tx, decision: Decision): Promise<void> {
  await insertDecision(tx, decision).execute();
}

/** For a statement that also writes what was decided. */
export const insertDecision = (query: Pick<QueryCreator<DB>, 'insertInto'>, decision: Decision) =>
  query.insertInto('dispatch_decisions').values({
    account_id: decision.accountId,
    shipment_id: decision.shipmentId,
    search_id: decision.searchId ?? null,
    kind: decision.kind,
    at: decision.at,
    driver_id: decision.driverId ?? null,
    details: JSON.stringify(decision.details ?? {}),
  });
