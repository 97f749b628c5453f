import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@navette/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { type Answer, callApi } from '../../../test/call-api.ts';
import { crowd } from '../../../test/crowd.ts';
import { type NavetteProcess, runNavette, startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

const CRASHES = 10;
const CREATIONS_EACH = 200;
const CONNECTIONS = 12;

let server: TestServer;
let shop: TestAccount;
let running: NavetteProcess;
const started: Promise<NavetteProcess>[] = [];
const start = () => {
  const starting = startNavette(['api'], server.environment);
  started.push(starting);
  return starting;
};
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  running = await start();
});
afterAll(async () => {
  await Promise.all(started.map(async (child) => (await child).stop()));
  await server.stop();
});

const post = (url: string, key: string): Promise<Answer> =>
  callApi(`${url}${BASE_PATH}/shipping`, shop, 'POST', {
    body: shipmentRequest(),
    headers: { 'x-idempotency-key': key },
  });

/** Everything the account has, page after page. */
async function readAll(): Promise<Map<string, { referenceNumber: string; key: string }>> {
  const found = new Map<string, { referenceNumber: string; key: string }>();
  let cursor = '';
  do {
    const query = { limit: '100', ...(cursor ? { cursor } : {}) };
    const { body } = await callApi(`${running.url}${BASE_PATH}/shipping`, shop, 'GET', { query });
    for (const { _id, referenceNumber, metadata } of body.shippings)
      found.set(_id, { referenceNumber, key: metadata.idempotencyKey });
    cursor = body.pagination.nextCursor ?? '';
  } while (cursor);
  return found;
}

interface Seen {
  status: number;
  id: string;
  referenceNumber: string;
}

const seenIn = ({ status, body }: Answer): Seen => ({
  status,
  id: body.shipping?._id,
  referenceNumber: body.shipping?.referenceNumber,
});

describe('a confirmed creation survives crashes', () => {
  test('ten kill -9 in the middle of 2,000 creations lose, double and overcharge nothing', async () => {
    const answered = new Map<string, Seen>();
    const retried = new Map<string, Seen>();
    let interrupted = 0;
    const spares = [start(), start()]; // a process takes longer to start than to be killed

    for (let crash = 0; crash < CRASHES; crash++) {
      const victim = running;
      const keys = Array.from({ length: CREATIONS_EACH }, () => randomUUID());
      const killAfter = answered.size + 10 + crash * 18; // early in one round, late in another
      await crowd(CONNECTIONS, keys, async (key) => {
        if (victim.process.killed) return;
        try {
          answered.set(key, seenIn(await post(victim.url, key)));
        } catch {
          interrupted++; // the connection broke: unknown whether the shipment was created
        }
        if (answered.size >= killAfter) victim.process.kill('SIGKILL');
      });
      await victim.exited;
      expect(victim.process.signalCode).toBe('SIGKILL');

      running = (await spares.shift()) ?? victim;
      if (started.length <= CRASHES) spares.push(start());
      const unanswered = keys.filter((key) => !answered.has(key));
      await crowd(CONNECTIONS, unanswered, async (key) => {
        retried.set(key, seenIn(await post(running.url, key)));
      });
    }

    expect(interrupted).toBeGreaterThanOrEqual(CRASHES); // each time something was under way
    expect(answered.size + retried.size).toBe(CRASHES * CREATIONS_EACH);
    expect(new Set([...answered.values()].map(({ status }) => status))).toEqual(new Set([201]));
    for (const { status } of retried.values()) expect([200, 201]).toContain(status);

    const found = await readAll();
    expect(found.size).toBe(CRASHES * CREATIONS_EACH);
    expect(new Set([...found.values()].map(({ key }) => key)).size).toBe(CRASHES * CREATIONS_EACH);
    for (const [key, { id, referenceNumber }] of [...answered, ...retried])
      expect(found.get(id)).toEqual({ referenceNumber, key });

    const { account } = (await server.call(shop, 'GET', '/account')).body;
    expect(account.balance).toBe(-8.5 * CRASHES * CREATIONS_EACH);
    expect(await brokenInvariants(server)).toEqual([]);
    expect(await runNavette(['audit', '--json'], server.environment)).toMatchObject({ code: 0, stderr: '' });
  });

  test('connections to PostgreSQL cut repeatedly: every response is correct and every call can be repeated', async () => {
    const before = (await readAll()).size;
    const knife = new pg.Pool({ connectionString: server.config.databaseUrl, max: 2 });
    const cut = () =>
      knife.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'navette%' and state <> 'idle'`,
      );
    const keys = Array.from({ length: 600 }, () => randomUUID());
    let cuts = 0;
    const answers = await crowd(CONNECTIONS, keys, async (key, i) => {
      const [answer, wound] = await Promise.all([post(running.url, key), i % 5 === 0 ? cut() : null]);
      cuts += wound?.rowCount ?? 0;
      return answer;
    });
    await knife.end();

    const failed = answers.filter(({ status }) => status !== 201);
    expect(running.process.exitCode).toBe(null);
    expect(cuts).toBeGreaterThan(20);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(keys.length);
    for (const { status, headers, body } of failed) {
      // The key look-up may fail too: then the authentication responds, with its own envelope.
      const envelope = status === 500 ? { error: 'INTERNAL_ERROR' } : {};
      expect([400, 500]).toContain(status);
      expect(body).toStrictEqual({ success: false, message: expect.any(String), ...envelope });
      expect(body.message).toContain(headers.get('x-request-id'));
      expect(body.message.replace(headers.get('x-request-id'), '')).not.toMatch(
        /connect|terminat|postgres|sql|127[.]0|[{}/]/i,
      );
    }

    const again = await crowd(CONNECTIONS, keys, (key) => post(running.url, key));
    for (const { status } of again) expect([200, 201]).toContain(status);
    expect((await readAll()).size).toBe(before + keys.length);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
