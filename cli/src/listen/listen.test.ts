import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeAnyKey } from '../../../server/src/features/api-keys/index.ts';
import { eventually } from '../../../server/test/eventually.ts';
import { freePort } from '../../../server/test/free-port.ts';
import { moveShipment } from '../../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../../server/test/shipment-request.ts';
import { subscribe } from '../../../server/test/subscribe.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../server/test/test-server.ts';
import { createTwin } from '../../../server/test/twin.ts';
import type { WebhookReceiver } from '../../../server/test/webhook-receiver.ts';
import { startWebhookServer, type WebhookServer } from '../../../server/test/webhook-server.ts';
import { withWorker } from '../../../server/test/with-worker.ts';
import { listenWithKills } from '../../test/listen-with-kills.ts';
import { type CliProcess, environmentOf, runCli, startCli } from '../../test/run-cli.ts';

let both: WebhookServer;
let server: TestServer;
let receiver: WebhookReceiver;
let folder: string;
const listeners: CliProcess[] = [];
let files = 0;

beforeAll(async () => {
  both = await startWebhookServer();
  ({ server, receiver } = both);
  folder = await mkdtemp(join(tmpdir(), 'navette-listen-'));
});
afterAll(async () => {
  for (const { process: child } of listeners) child.kill('SIGKILL');
  await both.stop();
  await rm(folder, { recursive: true });
});

const newTwin = async () => createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
const newState = () => join(folder, `state-${files++}.json`);

async function ship(account: TestAccount): Promise<string> {
  const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
  return body.shipping._id;
}

async function start(account: TestAccount, path: string, more: string[] = []) {
  const args = ['listen', '--forward-to', `${receiver.url}${path}`, '--json'];
  const state = more.includes('--state') ? [] : ['--state', newState()];
  const listener = startCli([...args, ...state, ...more], environmentOf(server, account));
  listeners.push(listener);
  await eventually(() => expect(listener.lines[0] ?? listener.errors()).toContain('ready'));
  const ready = JSON.parse(listener.lines[0] ?? '') as { secret: string };
  const stop = async () => {
    listener.process.kill('SIGTERM');
    return listener.exited;
  };
  return { ...listener, ready, stop };
}

const idsTo = (path: string) => receiver.to(path).map(({ body }) => JSON.parse(body.toString()).data.id);

describe('listen', () => {
  test('forwards an event with the bytes and headers of the service, signed with the secret it prints', async () => {
    const twin = await newTwin();
    await subscribe(server, receiver, twin, '/service');
    const listener = await start(twin, '/listener');
    receiver.expectSecret('/listener', listener.ready.secret);
    await ship(twin);
    await withWorker(server, () => eventually(() => expect(receiver.to('/service')).toHaveLength(1)));
    await eventually(() => expect(receiver.to('/listener')).toHaveLength(1));
    expect(await listener.stop()).toBe(0);
    const [[sent], [forwarded]] = [receiver.to('/service'), receiver.to('/listener')];
    expect(forwarded?.faults).toEqual([]);
    expect(forwarded?.body).toEqual(sent?.body);
    const withoutSignature = ({ headers = {} }: Partial<NonNullable<typeof sent>> = {}) =>
      Object.entries(headers)
        .filter(([name]) => !['x-service-timestamp', 'x-service-signature'].includes(name))
        .toSorted(([a], [b]) => a.localeCompare(b));
    expect(withoutSignature(forwarded)).toEqual(withoutSignature(sent));
  });

  test('goes on where it stopped, with the same secret, in a file that nobody else can read', async () => {
    const twin = await newTwin();
    const state = newState();
    const first = await start(twin, '/restart', ['--state', state]);
    expect(await first.stop()).toBe(0);
    const missed = [await ship(twin), await ship(twin)];
    const second = await start(twin, '/restart', ['--state', state]);
    expect(second.ready.secret).toBe(first.ready.secret);
    await eventually(() => expect(idsTo('/restart')).toEqual(missed));
    await second.stop();
    expect((await stat(state)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(state, 'utf8')).cursor).toBe('2');
  });

  test('repeats an event until it is accepted, and then goes on with the next', async () => {
    const twin = await newTwin();
    receiver.behave('/refusing', (_request, response, nth) => response.writeHead(nth < 3 ? 500 : 204).end());
    const listener = await start(twin, '/refusing');
    const [first, second] = [await ship(twin), await ship(twin)];
    await eventually(() => expect(idsTo('/refusing')).toEqual([first, first, first, second]));
    await listener.stop();
    const attempts = listener.lines.slice(1).map((line) => JSON.parse(line));
    expect(attempts.map(({ attempt, status }) => `${attempt}: ${status}`)).toEqual([
      '1: 500',
      '2: 500',
      '3: 204',
      '1: 204',
    ]);
  });

  test('drops an event after three attempts with the policy of the contract', async () => {
    const twin = await newTwin();
    const refused = new Set<string>();
    receiver.behave('/dropping', ({ body }, response) => {
      const { id } = JSON.parse(body.toString()).data;
      if (refused.size === 0) refused.add(id);
      response.writeHead(refused.has(id) ? 410 : 200).end();
    });
    const listener = await start(twin, '/dropping', ['--retry', 'contract']);
    const [first, second] = [await ship(twin), await ship(twin)];
    await eventually(() => expect(idsTo('/dropping')).toEqual([first, first, first, second]));
    await listener.stop();
    expect(listener.lines.some((line) => line.includes('"type":"dropped"'))).toBe(true);
  });

  test('forwards only the chosen events, and past ones with --since', async () => {
    const twin = await newTwin();
    const id = await ship(twin);
    await server.call(twin, 'PUT', `/shipping/${id}/cancel`, { body: {} });
    const more = ['--events', 'shipping.cancelled', '--since', '2020-01-01'];
    const listener = await start(twin, '/chosen', more);
    await eventually(() => expect(receiver.to('/chosen')).toHaveLength(1));
    await listener.stop();
    expect(receiver.to('/chosen')[0]?.headers['x-service-event']).toBe('shipping.cancelled');
  });

  test('killed five times during 50 events, it forwards each of them, in order', async () => {
    const { repeated } = await listenWithKills(server, { events: 50, kills: 5 });
    expect(repeated).toBeLessThanOrEqual(5);
  });
});

describe('listen cannot go on', () => {
  const run = (account: TestAccount, more: string[] = []) =>
    runCli(['listen', '--forward-to', receiver.url, '--state', newState(), ...more], environmentOf(server, account));

  test('with a wrong key, client id or scope: it names the remedy', async () => {
    const account = await server.createAccount();
    const wrongKey = await run({ ...account, key: 'navette_live_wrong' });
    expect(wrongKey).toMatchObject({ code: 1, stdout: '' });
    expect(wrongKey.stderr).toContain('Create a key in the dashboard');
    expect((await run({ ...account, clientId: 'nvc_wrong' })).stderr).toContain('NAVETTE_CLIENT_ID is not');
  });

  test('when its key is revoked while it listens', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const id = await ship(account);
    const listener = await start(account, '/revoked');
    const key = await server.db
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', account.id)
      .executeTakeFirst();
    await revokeAnyKey(server.db, key?.id ?? '');
    await moveShipment(server, account, id, 'cancel'); // ends the wait
    expect(await listener.exited).toBe(1);
    expect(listener.errors()).toMatch(/^The API key is unknown or was revoked\. .* the cursor is stored\.\n$/);
  });

  test('with a state file of another account, or a damaged one', async () => {
    const account = await server.createAccount();
    const state = newState();
    await writeFile(state, JSON.stringify({ cursor: '700', secret: 'secret' }));
    expect((await run(account, ['--state', state])).stderr).toContain('Start again with --since');
    await writeFile(state, '{"cur');
    expect(await run(account, ['--state', state])).toMatchObject({ code: 1 });
  });

  test('when the service stays unreachable: it reconnects, and then gives up', async () => {
    const port = String(await freePort());
    const alone = await startTestServer({ PORT: port });
    const account = await alone.createAccount();
    const args = ['listen', '--forward-to', receiver.url, '--state', newState(), '--give-up-after', '0.02', '--json'];
    const listener = startCli(args, environmentOf(alone, account));
    listeners.push(listener);
    await eventually(() => expect(listener.lines[0]).toContain('ready'));
    await alone.stop();
    expect(await listener.exited).toBe(1);
    expect(listener.lines.some((line) => line.includes('disconnected'))).toBe(true);
    expect(listener.errors()).toMatch(/^The service was unreachable for .* no event is lost\.\n$/);
  });

  test('without its settings, or with wrong ones: exit code 2', async () => {
    const nothing = await runCli(['listen', '--forward-to', 'localhost:1']);
    expect(nothing).toMatchObject({ code: 2 });
    for (const name of ['NAVETTE_URL', 'NAVETTE_API_KEY', 'NAVETTE_CLIENT_ID']) expect(nothing.stderr).toContain(name);
    const account = await server.createAccount();
    for (const more of [
      ['--retry', 'never'],
      ['--events', 'shipping.lost'],
      ['--since', 'soon'],
      ['--speed', '1'],
    ])
      expect((await run(account, more)).code).toBe(2);
  });
});
