import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { computePay, isPaidByRun, type PaySettings } from './pay.ts';

interface Run {
  id: string;
  weight: number;
  pickup: [longitude: number, latitude: number] | null;
  delivery: { latitude: number; longitude: number } | null;
}

/** The pay for delivering each of these shipments by the current settings, in cents; 0 for employees and in test mode. */
export async function quotePays(
  tx: Tx,
  settings: PaySettings,
  shipments: ShipmentPayload[],
): Promise<(shipmentId: string) => number> {
  if (!isPaidByRun(settings) || shipments.length === 0) return () => 0;
  const wanted = shipments.map(({ accountId, shipmentId }) => ({ accountId, shipmentId }));
  const { rows } = await sql<Run>`
    select s.id, s.weight, s.pickup_address->'location'->'coordinates' as pickup, s.delivery_address->'coordinates' as delivery
    from json_to_recordset(${JSON.stringify(wanted)}) as w ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (w."accountId", w."shipmentId")
    join accounts a on a.id = s.account_id and a.live_account_id is null`.execute(tx);
  const pays = new Map(rows.map((run) => [run.id, payFor(run, settings)]));
  return (shipmentId) => pays.get(shipmentId) ?? 0;
}

function payFor({ weight, pickup, delivery }: Run, settings: PaySettings): number {
  const from = pickup ? { longitude: pickup[0], latitude: pickup[1] } : null;
  return computePay({ km: shownDistanceKm(from, delivery), weightKg: weight }, settings);
}

export const quotePay = async (tx: Tx, settings: PaySettings, accountId: string, shipmentId: string): Promise<number> =>
  (await quotePays(tx, settings, [{ accountId, shipmentId }]))(shipmentId);
