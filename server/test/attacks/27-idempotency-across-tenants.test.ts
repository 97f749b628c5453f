import { ERROR_SLUGS } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestServer } from '../test-server.ts';
import { createTenant, startAttackedServer, type Tenant } from './tenant.ts';

let server: TestServer;
let attacker: Tenant;
let victim: Tenant;
beforeAll(async () => {
  server = await startAttackedServer();
  attacker = await createTenant(server, 'attacker');
  victim = await createTenant(server, 'canaryvictim');
});
afterAll(() => server.stop());

const ship = (tenant: Tenant, key: string, changes = {}) =>
  server.call(tenant.account, 'POST', '/shipping', {
    body: shipmentRequest(changes),
    headers: { 'x-idempotency-key': key },
  });

test('another tenant’s key is refused with the slug alone: no data of their shipment, and no new shipment', async () => {
  const { body: theirs } = await ship(victim, 'order-100045', { notes: victim.canary });
  const before = await server.call(attacker.account, 'GET', '/shipping/stats');
  const answer = await ship(attacker, 'order-100045');
  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({
    success: false,
    error: 'IDEMPOTENCY_KEY_CONFLICT',
    message: ERROR_SLUGS.IDEMPOTENCY_KEY_CONFLICT.message,
  });
  expect(JSON.stringify(answer.body)).not.toContain(theirs.shipping.referenceNumber);
  expect((await server.call(attacker.account, 'GET', '/shipping/stats')).body).toEqual(before.body);
});

test('a replay gives a caller their own shipment only, also after another tenant tried the key', async () => {
  const own = await ship(attacker, 'order-200001');
  expect((await ship(victim, 'order-200001')).status).toBe(409);
  const replay = await ship(attacker, 'order-200001');
  expect(replay.status).toBe(200);
  expect(replay.body.shipping._id).toBe(own.body.shipping._id);
});

test('a caller who is refused for another reason does not use up the key', async () => {
  const bad = await ship(attacker, 'order-300001', { scheduledDate: '2020-01-01', timeSlot: '14h-16h' });
  expect(bad.status).toBe(400);
  expect((await ship(victim, 'order-300001')).status).toBe(201);
});
