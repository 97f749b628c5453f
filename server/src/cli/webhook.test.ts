import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runNavette } from '../../test/navette-process.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { subscribe } from '../../test/subscribe.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { withWorker } from '../../test/with-worker.ts';

const NOBODY = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';

let server: TestServer;
let receiver: WebhookReceiver;
let shop: TestAccount;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const navette = (args: string[], environment: Record<string, string> = {}) =>
  runNavette(args, { ...server.environment, ...environment });
const json = async (args: string[]) => JSON.parse((await navette([...args, '--json'])).stdout);

describe('navette webhook', () => {
  test('`deliveries` lists every attempt with its outcome, and filters', async () => {
    const good = await subscribe(server, receiver, shop, '/good');
    const bad = await subscribe(server, receiver, shop, '/bad');
    receiver.behave('/bad', (_request, response) => response.writeHead(418).end('I am a teapot'));
    const { _id } = (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body.shipping;
    const all = ['webhook', 'deliveries', shop.id];
    await withWorker(server, () =>
      vi.waitFor(
        async () => {
          const rows = await server.db.selectFrom('webhook_deliveries').select('status').execute();
          expect(rows.map(({ status }) => status).sort()).toEqual(['delivered', 'dropped']);
        },
        { timeout: 240_000, interval: 100 },
      ),
    );
    const shown = await json(all);
    const failure = {
      resend: 0,
      status: 418,
      error: null,
      answer: 'I am a teapot',
      at: expect.any(String),
      durationMs: expect.any(Number),
    };
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual(
      expect.objectContaining({
        webhookId: bad._id,
        shipmentId: _id,
        status: 'dropped',
        attempts: [failure, failure, failure],
      }),
    );
    expect(shown).toContainEqual(expect.objectContaining({ webhookId: good._id, status: 'delivered' }));
    expect(await json([...all, '--status', 'dropped'])).toHaveLength(1);
    expect(await json([...all, '--webhook', good._id, '--limit', '1'])).toMatchObject([{ webhookId: good._id }]);
    const table = await navette(all);
    expect(table.stdout).toMatch(/dropped +418 in \d+ ms, 418 in \d+ ms, 418 in \d+ ms/);
    expect(table.stdout).not.toContain('Camille');
    expect(await navette(['webhook', 'deliveries', NOBODY])).toMatchObject({ code: 1, stdout: '' });
  });

  test('`list` shows failing webhooks and no secret', async () => {
    const { stdout } = await navette(['webhook', 'list', shop.id]);
    expect(stdout).toContain('/bad');
    expect(stdout).not.toContain('navette_whsec_');
    const listed = await json(['webhook', 'list', shop.id]);
    expect(listed.filter(({ failingSince }: { failingSince: string | null }) => failingSince)).toMatchObject([
      { url: expect.stringContaining('/bad') },
    ]);
  });

  test('`test` sends one signed request that the receiver can verify, and reports the response', async () => {
    const webhook = await subscribe(server, receiver, shop, '/tested', ['shipping.delivered']);
    expect(await json(['webhook', 'test', webhook._id])).toMatchObject({
      status: 200,
      event: 'shipping.delivered',
      error: null,
    });
    const requests = receiver.to('/tested');
    expect(requests.map(({ faults }) => faults)).toEqual([[]]);
    expect(JSON.parse(String(requests[0]?.body)).data.id).toBe('00000000-0000-0000-0000-000000000000');

    receiver.behave('/tested', (_request, response) => response.writeHead(500).end());
    expect(await navette(['webhook', 'test', webhook._id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('500'),
    });
    const closed = await navette(['webhook', 'test', webhook._id], { WEBHOOK_ALLOWED_NETWORKS: '' });
    expect(closed).toMatchObject({ code: 1, stderr: expect.stringContaining('NO_PUBLIC_ADDRESS') });
    expect(await navette(['webhook', 'test', NOBODY])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no webhook'),
    });
  });

  test('`resend` sends lost events of a period again, and refuses in words', async () => {
    const lost = await subscribe(server, receiver, shop, '/lost');
    receiver.behave('/lost', (_request, response, nth) => response.writeHead(nth <= 3 ? 503 : 200).end());
    await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    const statusIs = (status: string) =>
      vi.waitFor(
        async () => {
          const rows = await server.db
            .selectFrom('webhook_deliveries')
            .select('status')
            .where('webhook_id', '=', lost._id)
            .execute();
          expect(rows).toEqual([{ status }]);
        },
        { timeout: 240_000, interval: 100 },
      );
    await withWorker(server, async () => {
      await statusIs('dropped');
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const resent = await json(['webhook', 'resend', lost._id, '--since', since, '--wait']);
      expect(resent).toMatchObject({ state: 'done', sent: 1, unavailable: 0 });
      await statusIs('delivered');
    });
    const [delivery] = await json(['webhook', 'deliveries', shop.id, '--webhook', lost._id]);
    expect(delivery).toMatchObject({ resends: 1 });
    expect(await navette(['webhook', 'resend', lost._id, '--event', NOBODY])).toMatchObject({ code: 1 });
    expect(await navette(['webhook', 'resend', NOBODY, '--event', delivery.eventId])).toMatchObject({ code: 1 });
  });

  test('wrong usage exits with 2', async () => {
    for (const args of [
      ['deliveries', 'x'],
      ['deliveries', NOBODY, '--limit', '0'],
      ['deliveries', NOBODY, '--status', 'lost'],
      ['test', 'x'],
      ['resend', NOBODY],
      ['resend', NOBODY, '--since', 'yesterday'],
    ])
      expect((await navette(['webhook', ...args])).code).toBe(2);
  });
});
