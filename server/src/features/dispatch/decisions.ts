import type { Tx } from '../../database/database.ts';

/** What was decided beside the offers, in the words that `shipment explain` turns into sentences. */
export type DecisionKind =
  | 'started'
  | 'considered'
  | 'assigned'
  | 'nobody left'
  | 'needs location'
  | 'geocoder away'
  | 'positions unknown'
  | 'abandoned'
  | 'taken away'
  | 'stopped'
  | 'delivery confirmed';

/** Ids, distances and reasons; nobody's name or address. */
export interface DecisionDetails {
  /** Why a search started. */
  cause?: string;
  round?: number;
  wave?: number;
  /** Who was near, nearest first, and what spoke against them. */
  looked?: { driverId: string; metres: number; obstacle: string | null }[];
  /** Who decided an assignment, and how far away the driver was. */
  by?: 'dispatch' | 'driver' | 'operator';
  metres?: number;
  channel?: string;
  previous?: string | null;
  /** What a person gave as the reason. */
  reason?: string | null;
  /** What the shipment had become. */
  status?: string;
}

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
  await tx
    .insertInto('dispatch_decisions')
    .values({
      account_id: decision.accountId,
      shipment_id: decision.shipmentId,
      search_id: decision.searchId ?? null,
      kind: decision.kind,
      at: decision.at,
      driver_id: decision.driverId ?? null,
      details: JSON.stringify(decision.details ?? {}),
    })
    .execute();
}

/** For what is decided again and again while it lasts: told once, until something else happens. */
export async function recordNews(tx: Tx, decision: Decision): Promise<void> {
  const last = await tx
    .selectFrom('dispatch_decisions')
    .select('kind')
    .where('account_id', '=', decision.accountId)
    .where('shipment_id', '=', decision.shipmentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.kind !== decision.kind) await recordDecision(tx, decision);
}
