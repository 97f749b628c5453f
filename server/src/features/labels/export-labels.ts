import { type ExportRequest, MAX_EXPORTED_LABELS } from '@navette/contract';
import type pg from 'pg';
import { fieldErrors, refuseWithMessage } from '../../http/refusal.ts';
import { findShipmentIds } from '../shipments/index.ts';
import type { Label } from './label.ts';
import { readLabels } from './read-labels.ts';

/** The labels that were asked for, in that order: all of them, or a refusal. */
export async function chooseLabels(
  pool: pg.Pool,
  accountId: string,
  request: ExportRequest,
  timeZone: string,
): Promise<Label[]> {
  const ids = await idsOf(pool, accountId, request, timeZone);
  const stored = await readLabels(pool, accountId, ids, timeZone);
  return stored.map((found) => {
    if (!found) return refuseWithMessage(404, 'Une expédition demandée est introuvable : aucun PDF n’a été produit.');
    return found.label;
  });
}

async function idsOf(
  pool: pg.Pool,
  accountId: string,
  { scope, shippingIds, filters }: ExportRequest,
  timeZone: string,
): Promise<string[]> {
  if (scope === 'selected') return shippingIds?.length ? shippingIds : refuseWithoutIds();
  const ids = await findShipmentIds(pool, accountId, filters ?? {}, timeZone, MAX_EXPORTED_LABELS + 1);
  if (ids.length === 0) refuseWithMessage(404, 'Aucune expédition ne correspond à ces filtres.');
  if (ids.length > MAX_EXPORTED_LABELS) {
    refuseWithMessage(400, `Plus de ${MAX_EXPORTED_LABELS} étiquettes correspondent : resserrez les filtres.`);
  }
  return ids;
}

function refuseWithoutIds(): never {
  const msg = 'Indiquez au moins un identifiant d’expédition.';
  throw fieldErrors([{ type: 'field', msg, path: 'shippingIds', location: 'body' }]);
}
