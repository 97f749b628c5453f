import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { bind } from '../../http/bind.ts';
import { refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { refuseAsUnknown } from '../../refusals/refusal.ts';
import type { ExportLabels } from './export-labels.ts';
import type { LabelFiles } from './label-files.ts';
import { displayNameOf } from './public-files.ts';
import { readLabels, type StoredLabel } from './read-labels.ts';

export interface LabelRouteOptions {
  pool: pg.Pool;
  exportLabels: ExportLabels;
  files: LabelFiles;
  publicUrl: string;
  timeZone: string;
}

export function bindLabelRoutes(
  app: FastifyInstance,
  { pool, exportLabels, files, publicUrl, timeZone }: LabelRouteOptions,
): void {
  /** Finds the label in the caller's account and makes sure that its file is stored. */
  async function prepare(accountId: string, shipmentId: string): Promise<StoredLabel> {
    const [stored] = await readLabels(pool, accountId, [shipmentId], timeZone);
    if (!stored) return refuseAsUnknown();
    if (stored.isErased) return refuseWithDashboardSlug('LABEL_ERASED');
    await files(stored);
    return stored;
  }
  const viewUrlOf = ({ fileName }: StoredLabel) => `${publicUrl}/pdfs/${fileName}`;
  const downloadUrlOf = (stored: StoredLabel) => `${viewUrlOf(stored)}?download`;

  bind(app, ENDPOINTS.createDownloadLink, async ({ caller, params, answer }) => {
    const stored = await prepare(caller.accountId, params.id);
    const filename = displayNameOf(stored.label);
    return answer(200, { success: true, downloadUrl: downloadUrlOf(stored), filename, action: 'download' });
  });

  bind(app, ENDPOINTS.createViewLink, async ({ caller, params, answer }) => {
    const stored = await prepare(caller.accountId, params.id);
    return answer(200, { success: true, viewUrl: viewUrlOf(stored), action: 'view' });
  });

  bind(app, ENDPOINTS.downloadLabel, async ({ caller, params, answerWith }) => {
    const stored = await prepare(caller.accountId, params.id);
    return answerWith(302, { location: downloadUrlOf(stored) }, null);
  });

  bind(app, ENDPOINTS.exportLabels, async ({ caller, body, answerWith }) => {
    const labels = await exportLabels(caller.accountId, async () => body);
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="bordereaux.pdf"',
    };
    return answerWith(200, headers, labels);
  });
}
