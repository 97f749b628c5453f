import { Readable } from 'node:stream';
import { type LabelsRequest, MAX_EXPORTED_LABELS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseDashboard, refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { refuseAsUnknown } from '../../refusals/refusal.ts';
import { listImportedIds } from '../imports/index.ts';
import { findPrintableIds } from '../shipment-desk/index.ts';
import type { LabelRouteOptions } from './labels-routes.ts';
import { displayNameOf } from './public-files.ts';
import { readLabels } from './read-labels.ts';

const PDF = { 'content-type': 'application/pdf' };
const PDF_FILE = { ...PDF, 'content-disposition': 'inline; filename="bordereaux.pdf"' };
const ZPL_FILE = {
  'content-type': 'application/zpl',
  'content-disposition': 'attachment; filename="bordereaux.zpl"',
};

export function bindLabelDashboardRoutes(
  app: FastifyInstance,
  { pool, exportLabels, files, timeZone, now }: LabelRouteOptions & { now: () => Date },
): void {
  bindDashboard(app, 'readLabel', async ({ member, params, answerWith }) => {
    const [stored] = await readLabels(pool, member.accountId, [params.id], timeZone);
    if (!stored) return refuseAsUnknown();
    if (stored.isErased) return refuseWithDashboardSlug('LABEL_ERASED');
    const headers = {
      ...PDF,
      'content-disposition': `inline; filename="${displayNameOf(stored.label)}"`,
      'content-security-policy': "frame-ancestors 'self'", // the dashboard shows it in a frame
    };
    return answerWith(200, headers, Readable.from([await files(stored)]));
  });

  bindDashboard(app, 'printLabels', async ({ member, body, answerWith }) => {
    const { accountId } = member;
    const { format = 'page', firstPosition = 1 } = body;
    const choose = async () => ({ scope: 'selected' as const, shippingIds: await idsOf(accountId, body) });
    const labels = await exportLabels(accountId, choose, { format, firstPosition });
    return answerWith(200, format === 'zpl' ? ZPL_FILE : PDF_FILE, labels);
  });

  async function idsOf(accountId: string, request: LabelsRequest): Promise<string[]> {
    const { ids, importId, part = 1, filters = {} } = request;
    if (ids) return ids;
    const page = { offset: (part - 1) * MAX_EXPORTED_LABELS, limit: MAX_EXPORTED_LABELS };
    const found =
      importId === undefined
        ? await findPrintableIds(pool, accountId, filters, { timeZone, now: now() }, MAX_EXPORTED_LABELS)
        : await listImportedIds(pool, accountId, importId, page);
    if (found === null) return refuseDashboard('TOO_MANY_LABELS');
    return found.length > 0 ? found : refuseAsUnknown();
  }
}
