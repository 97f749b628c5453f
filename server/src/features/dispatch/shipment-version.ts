import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { findLatestAct } from '../staff/index.ts';
import type { LockedShipment } from './searches.ts';

export interface ShipmentRef {
  accountId: string;
  shipmentId: string;
}

/**
 * The version of shipment `s` that a person's decision is based on. It changes with every step of the status and with every incident that
 * is opened or resolved, and with nothing else: a position or a geocoded address makes no decision outdated.
 */
export const SHIPMENT_VERSION = sql<string>`jsonb_array_length(s.status_history) || '.' || (
  select count(*) + count(i.resolved_at) from incidents i where (i.account_id, i.shipment_id) = (s.account_id, s.id))`;

/** To be compared with the caller's version while the shipment is locked. */
export async function readShipmentVersion(tx: Tx, accountId: string, shipmentId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select ${SHIPMENT_VERSION} as version from shipments s where s.account_id = ${accountId} and s.id = ${shipmentId}`.execute(
    tx,
  );
  return rows[0]?.version ?? '';
}

/**
 * Refuses an act on another version than the current one, and names the person who was first. Acts of the console are
 * logged with the version that they lead to, so the latest act explains the change only if it led to this version, or,
 * for the command line, if nothing followed: otherwise the driver, the merchant or the search changed the shipment.
 */
export async function requireVersion(tx: Tx, shipment: LockedShipment, version: string): Promise<void> {
  const { accountId, id, status, history } = shipment;
  const current = await readShipmentVersion(tx, accountId, id);
  if (version === current) return;
  const latest = await findLatestAct(tx, 'shipment', id);
  const at = history.at(-1)?.at;
  const ledHere = latest?.details.version ?? (latest && at && latest.at >= new Date(at) ? current : null);
  if (latest && ledHere === current) {
    refuseConsole('CHANGED_MEANWHILE', { by: latest.actor, at: latest.at.toISOString(), change: latest.act });
  }
  refuseConsole('CHANGED_MEANWHILE', { ...(at ? { at } : {}), change: `shipment.${status}` });
}

/** The versions of shipments of any account, by shipment id. */
export async function readAnyShipmentVersions(db: Database, refs: ShipmentRef[]): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: string }>`
    select s.id, ${SHIPMENT_VERSION} as version
    from json_to_recordset(${JSON.stringify(refs)}) as r ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (r."accountId", r."shipmentId")`.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}
