import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { accountTime } from '../../calendar/twin-clock.ts';
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { cancelShipment } from './cancel-shipment.ts';
import { createBatch } from './create-batch.ts';
import { type CreationContext, type CreationOptions, createShipment } from './create-shipment.ts';
import { createShipmentExport } from './export-shipments-json.ts';
import { listShipments } from './list-shipments.ts';
import { projectionOf } from './read-shipment.ts';
import { readStats } from './read-stats.ts';
import { causeTestFault } from './test-faults.ts';
import { trackShipment } from './track-shipment.ts';

export interface ShipmentsOptions {
  db: Database;
  jobs: JobSender;
  creation: CreationContext;
  pools: CreationOptions['pools'] & { exports: pg.Pool };
  timeZone: string;
  now: () => Date;
}

export function serveShipments(app: FastifyInstance, options: ShipmentsOptions): void {
  const { db, pools, jobs, creation, timeZone, now } = options;
  const { reader, archive, pool } = creation;
  const streaming = createKeyedMutex(); // one large response per account at a time
  const listMutexes = { reading: createKeyedMutex(), streaming };
  const exportShipments = createShipmentExport(pools.exports, archive, streaming);

  bind(app, ENDPOINTS.createShipment, async ({ caller, body, headers, answer, request }) => {
    const idempotencyKey = headers['x-idempotency-key']?.trim() || null;
    const { idempotent, shipment } = await createShipment(creation, caller.accountId, body, {
      source: 'api',
      idempotencyKey,
    });
    request.createdShipments = [shipment._id];
    if (idempotent) return answer(200, { success: true, idempotent: true, shipping: shipment });
    if (caller.isTest) await causeTestFault(shipment.deliveryAddress.recipientName);
    return answer(201, { success: true, shipping: shipment });
  });

  bind(app, ENDPOINTS.createBatch, async ({ caller, body, answer, request }) => {
    const { created, errors } = await createBatch(creation, caller.accountId, body.shippings);
    request.createdShipments = created.map(({ shipping }) => shipping._id);
    const status = errors.length === 0 ? 200 : created.length > 0 ? 207 : 400;
    const counts = { success: created.length > 0, created: created.length, failed: errors.length };
    return answer(status, { ...counts, shippings: created, errors });
  });

  bind(app, ENDPOINTS.listShipments, async ({ caller, query, answerJson }) =>
    answerJson(200, await listShipments(pool, archive, listMutexes, caller.accountId, query, timeZone)),
  );

  bind(app, ENDPOINTS.getShipment, async ({ caller, params, answerJson }) =>
    answerJson(200, withEnvelope(await reader.documentById(caller.accountId, params.id))),
  );

  bind(app, ENDPOINTS.getShipmentByReference, async ({ caller, params, answerJson }) =>
    answerJson(200, withEnvelope(await reader.documentByReference(caller.accountId, params.referenceNumber))),
  );

  bind(app, ENDPOINTS.trackShipment, async ({ caller, params, answer }) =>
    answer(200, { success: true, tracking: await trackShipment(db, reader, caller.accountId, params.referenceNumber) }),
  );

  bind(app, ENDPOINTS.exportShipments, async ({ caller, answerJson }) =>
    answerJson(200, await exportShipments(caller.accountId)),
  );

  bind(app, ENDPOINTS.getStats, async ({ caller, answer }) =>
    answer(200, {
      success: true,
      stats: await readStats(db, caller.accountId, timeZone, accountTime(caller.clock, now())),
    }),
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
