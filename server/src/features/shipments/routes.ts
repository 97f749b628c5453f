import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { cancelShipment } from './cancel-shipment.ts';
import { createBatch } from './create-batch.ts';
import { type Creating, createShipment } from './create-shipment.ts';
import { createShipmentExport } from './export-shipments.ts';
import { listShipments } from './list-shipments.ts';
import { projectionOf } from './read-shipment.ts';
import { readStats } from './read-stats.ts';
import { trackShipment } from './track-shipment.ts';

export interface Routing {
  db: Database;
  jobs: JobSender;
  creating: Creating;
  exportPool: pg.Pool;
  timeZone: string;
  now: () => Date;
}

export function bindShipmentRoutes(app: FastifyInstance, routing: Routing): void {
  const { db, jobs, creating, exportPool, timeZone, now } = routing;
  const { reader, pool } = creating;
  const exportShipments = createShipmentExport(exportPool);

  bind(app, ENDPOINTS.createShipment, async ({ caller, body, headers, answer }) => {
    const idempotencyKey = headers['x-idempotency-key']?.trim() || null;
    const { idempotent, shipment } = await createShipment(creating, caller.accountId, body, {
      source: 'api',
      idempotencyKey,
    });
    if (idempotent) return answer(200, { success: true, idempotent: true, shipping: shipment });
    return answer(201, { success: true, shipping: shipment });
  });

  bind(app, ENDPOINTS.createBatch, async ({ caller, body, answer }) => {
    const { created, errors } = await createBatch(creating, caller.accountId, body.shippings);
    const status = errors.length === 0 ? 200 : created.length > 0 ? 207 : 400;
    const counts = { success: created.length > 0, created: created.length, failed: errors.length };
    return answer(status, { ...counts, shippings: created, errors });
  });

  bind(app, ENDPOINTS.listShipments, async ({ caller, query, answerJson }) =>
    answerJson(200, await listShipments(pool, caller.accountId, query, timeZone)),
  );

  bind(app, ENDPOINTS.getShipment, async ({ caller, params, answerJson }) =>
    answerJson(200, withEnvelope(await reader.documentById(caller.accountId, params.id))),
  );

  bind(app, ENDPOINTS.getShipmentByReference, async ({ caller, params, answerJson }) =>
    answerJson(200, withEnvelope(await reader.documentByReference(caller.accountId, params.referenceNumber))),
  );

  bind(app, ENDPOINTS.trackShipment, async ({ caller, params, answer }) =>
    answer(200, { success: true, tracking: await trackShipment(db, caller.accountId, params.referenceNumber) }),
  );

  bind(app, ENDPOINTS.exportShipments, async ({ caller, answerJson }) =>
    answerJson(200, await exportShipments(caller.accountId)),
  );

  bind(app, ENDPOINTS.getStats, async ({ caller, answer }) =>
    answer(200, { success: true, stats: await readStats(db, caller.accountId, timeZone, now()) }),
  );

  bind(app, ENDPOINTS.cancelShipment, async ({ caller, params, body, answer }) => {
    const { accountId } = caller;
    await cancelShipment(db, jobs, accountId, params.id, {
      reason: body.reason ?? null,
      by: null,
      now: now(),
      timeZone,
    });
    return answer(200, { success: true, shipping: projectionOf(await reader.documentById(accountId, params.id)) });
  });
}

const withEnvelope = (document: string) => `{"success":true,"shipping":${document}}`;
