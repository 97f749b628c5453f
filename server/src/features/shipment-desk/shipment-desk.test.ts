import { randomUUID } from 'node:crypto';
import { DASHBOARD_BASE_PATH, DASHBOARD_ENDPOINTS } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { crowd } from '../../../test/crowd.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { textOfPages } from '../../../test/pdf-tools.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { addCredit } from '../ledger/index.ts';

const SCRIPT = '<script>alert(1)</script>';

let server: TestServer;
let shop: TestAccount;
let clerk: TestMember;
let watcher: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred', pricePerKg: 6.9 });
  [clerk, watcher] = await Promise.all([
    createTestMember(server, shop.id, 'operations'),
    createTestMember(server, shop.id, 'read-only'),
  ]);
});
afterAll(() => server.stop());

const create = (body: unknown = shipmentRequest(), key: string = randomUUID(), who = clerk) =>
  who.call('createShipment', { body, headers: { 'x-idempotency-key': key } });
const createOne = async (body?: unknown): Promise<string> => (await create(body)).body.shipment._id;
const detail = async (id: string) => (await clerk.call('readShipment', { params: { id } })).body;
/** As bytes, which the caller of the other tests would take for text. */
async function download(path: string, init: RequestInit = {}, who = watcher) {
  const headers = { cookie: who.cookie, 'x-csrf-token': who.csrfToken, 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}${path}`, { headers, ...init });
  return { status: answer.status, headers: answer.headers, file: Buffer.from(await answer.arrayBuffer()) };
}

describe('a quote', () => {
  test('is what the creation then charges, with steps that add up', async () => {
    const schedule = { scheduledDate: '2031-03-08', timeSlot: '18h-20h' }; // a Saturday evening
    const { body } = await clerk.call('quoteShipment', { body: { weight: 0.5, ...schedule } });
    expect(faultsIn(DASHBOARD_ENDPOINTS.quoteShipment, 200, body)).toEqual([]);
    expect(body.quote).toMatchObject({ price: 15, pricingModel: 'scheduled_slot', obstacles: [] });
    expect(body.quote.steps.map(({ step, amount }: { step: string; amount: number }) => [step, amount])).toEqual([
      ['scheduled_weight', 3.5],
      ['scheduled_minimum', 3.5],
      ['unusual_hour', 3],
      ['weekend', 5],
    ]);
    const request = shipmentRequest({ parcelDetails: { weight: 0.5, nature: 'Livre' }, ...schedule });
    expect((await create(request)).body.shipment.price).toBe(15);
  });

  test('lists every reason for which the creation would be refused, in order', async () => {
    const poor = await server.createAccount({ contractSigned: false });
    const member = await createTestMember(server, poor.id);
    const { body } = await member.call('quoteShipment', { body: { weight: 1 } });
    expect(body.quote.obstacles).toMatchObject([
      { error: 'CONTRACT_SIGNATURE_REQUIRED', contractVersion: '2026-01' },
      { error: 'INSUFFICIENT_BALANCE', currentBalance: 0, requiredAmount: 8.5 },
    ]);
    expect(body.quote).toMatchObject({ balance: 0, balanceAfter: -8.5 });
  });

  test.each([
    ['SLOT_PASSED', { scheduledDate: '2020-01-01', timeSlot: '14h-16h' }],
    ['UNKNOWN_SLOT', { scheduledDate: '2031-01-01', timeSlot: 'bientôt' }],
    ['DATE_WITHOUT_SLOT', { scheduledDate: '2031-01-01' }],
  ])('says %s by name', async (error, schedule) => {
    const { status, body } = await clerk.call('quoteShipment', { body: { weight: 1, ...schedule } });
    expect([status, body.error]).toEqual([400, error]);
  });
});

describe('a creation', () => {
  test('sent twelve times at once with one key creates one shipment', async () => {
    const key = randomUUID();
    const answers = await crowd(12, Array(12).fill(key), () => create(shipmentRequest(), key));
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.shipment._id)).size).toBe(1);
  });

  test('has the dashboard as its source, and stores markup as text', async () => {
    const { deliveryAddress } = shipmentRequest();
    const { status, body } = await create(
      shipmentRequest({ notes: SCRIPT, deliveryAddress: { ...deliveryAddress, recipientName: SCRIPT } }),
    );
    expect(status).toBe(201);
    expect(body.shipment).toMatchObject({ notes: SCRIPT, externalReference: { platform: 'dashboard' } });
    expect(body.shipment.deliveryAddress.recipientName).toBe(SCRIPT);
  });

  test('without a key, or with wrong fields, names every field and its rule', async () => {
    const { status, body } = await clerk.call('createShipment', { body: { parcelDetails: { weight: 0 } } });
    expect(status).toBe(400);
    const errors = body.errors.map(({ path, rule }: { path: string; rule: string }) => [path, rule]);
    expect(errors).toContainEqual(['x-idempotency-key', 'required']);
    expect(errors).toContainEqual(['parcelDetails.weight', 'exclusiveMinimum']);
    expect(errors).toContainEqual(['deliveryAddress.street', 'required']);
  });

  test('beyond the credit limit is refused by name', async () => {
    const limited = await server.createAccount({ paymentMode: 'deferred', creditLimit: 5 });
    const member = await createTestMember(server, limited.id);
    expect((await create(shipmentRequest(), randomUUID(), member)).body).toMatchObject({ error: 'OVER_CREDIT_LIMIT' });
  });
});

describe('a shipment in detail', () => {
  test('shows the member who cancelled it, the reason, deliveries and messages, but never the delivery code', async () => {
    const id = await createOne();
    await withWorker(server, () => workDone(server));
    const webhookId = randomUUID();
    await sql`insert into webhooks (account_id, id, url, events, secret_key, sealed_secret, is_active)
      values (${shop.id}, ${webhookId}, 'https://hooks.example.org/x', array['shipping.created'], '1', '', false)`.execute(
      server.db,
    );
    const reason = `Le client a changé d’avis ${SCRIPT}`;
    expect((await clerk.call('cancelShipment', { params: { id }, body: { reason } })).status).toBe(200);
    await sql`insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, settled_at)
      select account_id, id, ${webhookId}, 'dropped', 3, now() from events where shipment_id = ${id}`.execute(
      server.db,
    );

    const body = await detail(id);
    expect(faultsIn(DASHBOARD_ENDPOINTS.readShipment, 200, body)).toEqual([]);
    expect(body.timeline).toMatchObject([
      { status: 'created', reason: null, by: null },
      { status: 'cancelled', reason, by: 'Zoé Martin' },
    ]);
    expect(body.mayCancel).toBe(false);
    const delivery = { webhookUrl: 'https://hooks.example.org/x', status: 'dropped', attempts: 3 };
    expect(body.deliveries).toMatchObject([
      { event: 'shipping.created', ...delivery },
      { event: 'shipping.cancelled', ...delivery },
    ]);
    const { rows } = await sql<{ code: string }>`select delivery_code as code from shipments where id = ${id}`.execute(
      server.db,
    );
    expect(JSON.stringify(body)).not.toContain(rows[0]?.code);
  });

  test('shows to whom messages went with their contact masked', async () => {
    const id = await createOne();
    await moveShipment(server, shop, id, 'assign', { driverId: randomUUID() });
    await withWorker(server, () => workDone(server));
    const { messages } = await detail(id);
    expect(messages.length).toBeGreaterThan(0);
    expect(JSON.stringify(messages)).not.toMatch(/612345678|camille@/);
  });

  test('cannot be cancelled after the pickup, and the refusal has its slug; a reason is required', async () => {
    const id = await createOne();
    for (const trigger of ['assign', 'pick_up'] as const) {
      await moveShipment(server, shop, id, trigger, { driverId: randomUUID() });
    }
    const late = await clerk.call('cancelShipment', { params: { id }, body: { reason: 'Trop tard' } });
    expect([late.status, late.body.error]).toEqual([400, 'TOO_LATE_TO_CANCEL']);
    expect((await detail(id)).mayCancel).toBe(false);
    const silent = await clerk.call('cancelShipment', { params: { id }, body: {} });
    expect(silent.body.errors).toMatchObject([{ path: 'reason', rule: 'required' }]);
  });
});

describe('labels', () => {
  test('are shown in a frame of the dashboard and nowhere else, to members only', async () => {
    const id = await createOne();
    const path = `${DASHBOARD_BASE_PATH}/shipments/${id}/label`;
    const { status, headers, file } = await download(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
    expect(headers.get('content-disposition')).toMatch(/^inline;/);
    expect(await textOfPages(file)).toHaveLength(1);
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
  });

  test('are printed together: chosen ones in their order, or all that a filter finds', async () => {
    const ids = [await createOne(), await createOne(shipmentRequest({ groupReference: 'LOT' }))];
    const print = (body: unknown) =>
      download(`${DASHBOARD_BASE_PATH}/shipments/labels`, { method: 'POST', body: JSON.stringify(body) });
    const references = await Promise.all(ids.map(async (id) => (await detail(id)).shipment.referenceNumber));
    const pages = await textOfPages((await print({ ids })).file);
    expect(pages.map((page, i) => page.includes(references[i]))).toEqual([true, true]);
    expect(await textOfPages((await print({ filters: { groupReference: 'LOT' } })).file)).toHaveLength(1);
    expect((await print({ filters: { groupReference: 'NONE' } })).status).toBe(404);
    expect((await print({ ids: [...ids, randomUUID()] })).status).toBe(404);
  });
});

describe('the list as a file', () => {
  test('opens in a French spreadsheet, contains the filtered shipments, and no formula or delivery code', async () => {
    const { deliveryAddress } = shipmentRequest();
    const id = await createOne(
      shipmentRequest({
        groupReference: 'CSV',
        notes: '=HYPERLINK("http://evil.example")',
        deliveryAddress: { ...deliveryAddress, recipientName: '@SUM(A1)' },
      }),
    );
    const { headers, file } = await download(`${DASHBOARD_BASE_PATH}/shipments.csv?groupReference=CSV`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="expeditions-\d{4}-\d\d-\d\d\.csv"$/);
    const text = file.toString();
    expect(text.startsWith('\uFEFFCommande;Référence;Statut;')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(";'@SUM(A1);");
    expect(text).toContain(`;"'=HYPERLINK(""http://evil.example"")";"6,90";dashboard;`);
    const { rows } = await sql<{ code: string }>`select delivery_code as code from shipments where id = ${id}`.execute(
      server.db,
    );
    expect(text).not.toContain(rows[0]?.code);
  });

  test('is in English on request, and can be imported unchanged', async () => {
    const { file } = await download(`${DASHBOARD_BASE_PATH}/shipments.csv?language=en&groupReference=CSV`);
    expect(file.toString()).toContain(',6.90,dashboard,');
    const { body } = await clerk.call('previewImport', { body: { filename: 'again.csv', text: file.toString() } });
    expect(body.import).toMatchObject({ lines: 1, good: 1, missingFields: [] });
    expect(body.import.sample[0].recipientName).toBe('@SUM(A1)');
  });
});

describe('a read-only member', () => {
  test('reads everything and changes nothing', async () => {
    const id = await createOne();
    const params = { id };
    const refused = { status: 403, body: expect.objectContaining({ error: 'ROLE_NOT_ALLOWED', needs: 'ship' }) };
    expect(await create(shipmentRequest(), randomUUID(), watcher)).toMatchObject(refused);
    expect(await watcher.call('cancelShipment', { params, body: { reason: 'non' } })).toMatchObject(refused);
    expect(await watcher.call('quoteShipment', { body: { weight: 1 } })).toMatchObject(refused);
    expect(await watcher.call('previewImport', { body: { filename: 'x', text: 'y' } })).toMatchObject(refused);
    expect((await watcher.call('readShipment', { params })).body.shipment.status).toBe('created');
  });

  test('no member changes anything without the CSRF token', async () => {
    const id = await createOne();
    const headers = { 'x-csrf-token': 'guess' };
    const answer = await clerk.call('cancelShipment', { params: { id }, body: { reason: 'non' }, headers });
    expect([answer.status, answer.body.error]).toEqual([403, 'BAD_CSRF_TOKEN']);
    expect((await detail(id)).shipment.status).toBe('created');
  });
});

test('a prepaid account is charged the quoted price, and the quote shows the remaining balance', async () => {
  const prepaid = await server.createAccount();
  await addCredit(server.db, prepaid.id, 1_000, null);
  const member = await createTestMember(server, prepaid.id);
  const { body } = await member.call('quoteShipment', { body: { weight: 3 } });
  expect(body.quote).toMatchObject({ price: 8.5, balance: 10, balanceAfter: 1.5, obstacles: [] });
  await create(shipmentRequest(), randomUUID(), member);
  const again = await create(shipmentRequest(), randomUUID(), member);
  expect(again.body).toMatchObject({ error: 'INSUFFICIENT_BALANCE', currentBalance: 1.5, requiredAmount: 8.5 });
});
