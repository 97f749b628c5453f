import type { Readable } from 'node:stream';
import { type ExportRequest, MAX_EXPORTED_LABELS } from '@navette/contract';
import type pg from 'pg';
import { createAccountConcurrency } from '../../http/account-concurrency.ts';
import { refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors, refuseWithMessage } from '../../refusals/refusal.ts';
import { findShipmentIds } from '../shipments/index.ts';
import type { DrawingPool } from './drawing-pool.ts';
import type { Label, LabelOutput } from './label.ts';
import { readLabels } from './read-labels.ts';

/** Labels of an account in one file. `choose` runs once the account's concurrency limit admits the export. */
export type ExportLabels = (
  accountId: string,
  choose: () => Promise<ExportRequest>,
  output?: LabelOutput,
) => Promise<Readable>;

// An export draws up to a thousand labels, which takes a thread seconds. Clients time out after about a minute.
const CONCURRENCY = { maxRunning: 2, maxWaiting: 8, waitMs: 30_000 };

export function createLabelExport(pool: pg.Pool, drawing: DrawingPool, timeZone: string): ExportLabels {
  const acquire = createAccountConcurrency(CONCURRENCY);
  return async (accountId, choose, output) => {
    const release = await acquire(accountId);
    try {
      const labels = await chooseLabels(pool, accountId, await choose(), timeZone);
      return drawing.draw(accountId, labels, output).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

/**
 * The requested labels, in that order: all of them, or a refusal. A filter skips shipments whose personal data was
 * erased: they have no label any more.
 */
async function chooseLabels(
  pool: pg.Pool,
  accountId: string,
  request: ExportRequest,
  timeZone: string,
): Promise<Label[]> {
  const ids = await idsOf(pool, accountId, request, timeZone);
  const stored = await readLabels(pool, accountId, ids, timeZone);
  if (request.scope === 'filtered') {
    const labels = stored.flatMap((found) => (found && !found.isErased ? [found.label] : []));
    return labels.length > 0 ? labels : refuseAsNoMatch();
  }
  return stored.map((found) => {
    if (!found) return refuseWithMessage(404, 'Une expédition demandée est introuvable : aucun PDF n’a été produit.');
    return found.isErased ? refuseWithDashboardSlug('LABEL_ERASED') : found.label;
  });
}

const refuseAsNoMatch = (): never => refuseWithMessage(404, 'Aucune expédition ne correspond à ces filtres.');

async function idsOf(
  pool: pg.Pool,
  accountId: string,
  { scope, shippingIds, filters }: ExportRequest,
  timeZone: string,
): Promise<string[]> {
  if (scope === 'selected') return shippingIds?.length ? shippingIds : refuseWithoutIds();
  const ids = await findShipmentIds(pool, accountId, filters ?? {}, timeZone, MAX_EXPORTED_LABELS + 1);
  if (ids.length === 0) refuseAsNoMatch();
  if (ids.length > MAX_EXPORTED_LABELS) {
    refuseWithMessage(400, `Plus de ${MAX_EXPORTED_LABELS} étiquettes correspondent : resserrez les filtres.`);
  }
  return ids;
}

function refuseWithoutIds(): never {
  const msg = 'Indiquez au moins un identifiant d’expédition.';
  throw fieldErrors([{ type: 'field', msg, path: 'shippingIds', location: 'body' }]);
}
