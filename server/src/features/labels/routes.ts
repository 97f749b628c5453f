import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { bind } from '../../http/bind.ts';
import { refuseAsUnknown } from '../../http/refusal.ts';
import type { Drawing } from './drawing.ts';
import { chooseLabels } from './export-labels.ts';
import type { LabelFiles } from './label-files.ts';
import { displayNameOf } from './public-files.ts';
import { readLabels, type StoredLabel } from './read-labels.ts';

export interface Routing {
  pool: pg.Pool;
  drawing: Drawing;
  files: LabelFiles;
  publicUrl: string;
  timeZone: string;
}

export function bindLabelRoutes(app: FastifyInstance, { pool, drawing, files, publicUrl, timeZone }: Routing): void {
  /** Found in the caller's account and, when this returns, ready to be served. */
  async function prepare(accountId: string, shipmentId: string): Promise<StoredLabel> {
    const [stored] = await readLabels(pool, accountId, [shipmentId], timeZone);
    if (!stored) return refuseAsUnknown();
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
    const labels = await chooseLabels(pool, caller.accountId, body, timeZone);
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="bordereaux.pdf"',
    };
    return answerWith(200, headers, drawing.draw(labels));
  });
}
