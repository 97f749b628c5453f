import { Readable } from 'node:stream';
import { type LabelsRequest, MAX_EXPORTED_LABELS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import { refuseAsUnknown } from '../../http/refusal.ts';
import { findMatchingIds } from '../shipment-desk/index.ts';
import { chooseLabels } from './export-labels.ts';
import { displayNameOf } from './public-files.ts';
import { readLabels } from './read-labels.ts';
import type { Routing } from './routes.ts';

const PDF = { 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' };

export function bindLabelsOfDashboard(app: FastifyInstance, { pool, drawing, files, timeZone }: Routing): void {
  bindDashboard(app, 'readLabel', async ({ member, params, answerWith }) => {
    const [stored] = await readLabels(pool, member.accountId, [params.id], timeZone);
    if (!stored) return refuseAsUnknown();
    const headers = {
      ...PDF,
      'content-disposition': `inline; filename="${displayNameOf(stored.label)}"`,
      'content-security-policy': "frame-ancestors 'self'", // the dashboard shows it in a frame
    };
    return answerWith(200, headers, Readable.from([await files(stored)]));
  });

  bindDashboard(app, 'printLabels', async ({ member, body, answerWith }) => {
    const shippingIds = await idsOf(member.accountId, body);
    const labels = await chooseLabels(pool, member.accountId, { scope: 'selected', shippingIds }, timeZone);
    return answerWith(
      200,
      { ...PDF, 'content-disposition': 'inline; filename="bordereaux.pdf"' },
      drawing.draw(labels),
    );
  });

  async function idsOf(accountId: string, { ids, filters = {} }: LabelsRequest): Promise<string[]> {
    if (ids) return ids;
    const found = await findMatchingIds(pool, accountId, filters, timeZone, MAX_EXPORTED_LABELS);
    if (found === null) return refuseDashboard('TOO_MANY_LABELS');
    return found.length > 0 ? found : refuseAsUnknown();
  }
}
