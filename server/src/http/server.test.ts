import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../test/call-api.ts';
import { messageOnly } from '../../test/envelopes.ts';
import { eventually } from '../../test/eventually.ts';
import { startFakeGeocoder } from '../../test/fake-geocoder.ts';
import { startNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { timeLimitMs } from '../../test/time-limit.ts';

const ADDRESS = { street: '12 rue de Rivoli', city: 'Paris', postalCode: '75001' };

let geocoder: Awaited<ReturnType<typeof startFakeGeocoder>>;
let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  geocoder = await startFakeGeocoder();
  server = await startTestServer({ GEOCODER_URL: geocoder.url, LOG_LEVEL: 'trace' });
  account = await server.createAccount();
});
afterAll(async () => {
  await server.stop();
  await geocoder.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  callApi(`${server.url}${path}`, {}, 'GET', { headers });

describe('X-Request-Id', () => {
  const requestId = async (path: string, given?: string) =>
    (await get(path, given === undefined ? {} : { 'x-request-id': given })).headers.get('x-request-id');

  test.each(['/healthz', `${BASE_PATH}/account`, `${BASE_PATH}/nothing`, '/'])(
    'of the request is returned on %s',
    async (path) => {
      expect(await requestId(path, 'order-2041_retry-1')).toBe('order-2041_retry-1');
    },
  );

  test.each(['short', 'with spaces in it', 'x'.repeat(65), '<script>alert(1)</script>', ''])(
    'that is invalid ("%s") is replaced by a new one',
    async (given) => {
      expect(await requestId('/healthz', given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('is generated for every request without one, and is in the log line of the request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => requestId('/healthz')));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(server.logged()).toContain(`"reqId":"${id}"`);
  });
});

describe('bytes that are not HTTP', () => {
  /** All bytes that the server sends until the connection ends. */
  const exchange = async (bytes: string) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  };
  const start = `GET ${BASE_PATH}/account HTTP/1.1\r\nHost: x\r\n`;

  test.each([
    ['400 Bad Request', 'nothing that we know\r\n\r\n'],
    ['400 Bad Request', `${start}no header\r\n\r\n`],
    ['400 Bad Request', `${start}Content-Length: many\r\n\r\n`],
    ['431 Request Header Fields Too Large', `${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s message only, and the connection ends', async (status, bytes) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(JSON.parse(body)).toStrictEqual({ success: false, message: expect.any(String) });
  });
});

describe('a client that offers another protocol', () => {
  test.each(['h2c', 'websocket', 'TLS/1.0'])('%s gets an HTTP/1.1 response', async (upgrade) => {
    const call = request(`${server.url}${BASE_PATH}/rates`, {
      method: 'POST',
      headers: {
        ...{ connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' },
        ...{ authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId },
        'content-type': 'application/json',
      },
    });
    call.end(JSON.stringify({ weight: 1 }));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(await json(response)).toMatchObject({ success: true, rate: { weightInKg: 1 } });
  });
});

describe('health', () => {
  test('/healthz returns 200 while the process runs, and nothing about the build', async () => {
    const { status, body } = await get('/healthz');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
  });

  test('/readyz returns 200 while the process accepts requests, without details of its engines', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('/readyz returns 503 without a database, while /healthz still returns 200', async () => {
    const lost = await startTestServer();
    try {
      await sql`drop database ${sql.id(new URL(lost.config.databaseUrl).pathname.slice(1))} with (force)`.execute(
        server.db,
      );
      const ready = await callApi(`${lost.url}/readyz`, {}, 'GET');
      expect(ready).toMatchObject({ status: 503, body: { status: 'unavailable' } });
      expect(await lost.readHealth()).toMatchObject({ status: 'unavailable', database: 'unreachable' });
      expect((await callApi(`${lost.url}/healthz`, {}, 'GET')).status).toBe(200);
    } finally {
      await lost.stop();
    }
  });
});

describe('metrics', () => {
  test('are not on the public port: /metrics is an unknown path', async () => {
    const [metrics, nothing] = [await get('/metrics'), await get('/nothing')];
    expect(metrics).toEqual(messageOnly(404));
    expect(metrics.body).toEqual(nothing.body);
  });

  test('count responses by method, route and status, and show whether limits are shared', async () => {
    await server.call(account, 'GET', '/account');
    await get('/somewhere/unknown');
    const body = await server.metrics();
    expect(body).toMatch(
      /^navette_http_request_seconds_count\{method="GET",route="\/pro\/api\/v1\/account",status="200"\} \d+$/m,
    );
    expect(body).toMatch(/^navette_http_request_seconds_bucket\{le="0.1",.*route="\/pro\/api\/v1\/account"/m);
    expect(body).toContain('route="unknown",status="404"');
    expect(body).toMatch(/^navette_rate_limiter_degraded 0$/m);
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).not.toContain('somewhere');
  });
});

describe('shutdown', () => {
  test('a request that runs when SIGTERM arrives is answered, new ones are refused, and the process exits with 0', async () => {
    const running = await startNavette(['api'], server.environment);
    geocoder.requests.length = 0;
    geocoder.answerWith('hang', { latitude: 48.86, longitude: 2.33 }); // the second attempt is answered
    const url = `${running.url}${BASE_PATH}/shipping/pickup-address`;
    const underWay = callApi(url, account, 'PUT', { body: ADDRESS });
    await eventually(() => expect(geocoder.requests).toHaveLength(1));

    const exited = running.stop();
    await eventually(() => expect(running.logged()).toContain('stopping'));
    await eventually(() => expect(fetch(`${running.url}/healthz`)).rejects.toThrow('fetch failed'));
    const answer = await underWay;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.body.pickupAddress.location.coordinates).toEqual([2.33, 48.86]);
    expect(await exited).toBe(0);
    expect(running.logged()).toContain('"msg":"stopped"');
  });

  test('does not wait for a connection that was opened in advance and carries no request', async () => {
    const running = await startNavette(['api'], server.environment);
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const started = performance.now();
    expect(await running.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(timeLimitMs(15_000)); // earlier versions waited a minute for such a connection
    socket.destroy();
  });

  test('/readyz returns "stopping" for DRAIN_SECONDS, so that a load balancer can remove the process', async () => {
    const running = await startNavette(['api'], { ...server.environment, DRAIN_SECONDS: '8' });
    const exited = running.stop();
    await eventually(async () => {
      const ready = await callApi(`${running.url}/readyz`, {}, 'GET');
      expect(ready).toMatchObject({ status: 503, body: { status: 'stopping' } });
      expect(await running.readHealth()).toMatchObject({ status: 'stopping', database: 'ok' });
    });
    expect((await callApi(`${running.url}${BASE_PATH}/account`, account, 'GET')).status).toBe(200);
    expect(await exited).toBe(0);
  });

  test('both roles in one process stop on SIGINT too', async () => {
    const running = await startNavette([], server.environment);
    await eventually(() => expect(running.logged()).toContain('"msg":"serving"'));
    running.process.kill('SIGINT');
    expect(await running.exited).toBe(0);
  });
});

describe('logs', () => {
  const secret = (name: string) => `canary${name}canary`;
  const person = {
    recipientName: secret('name'),
    street: `12 ${secret('street')}`,
    city: secret('city'),
    postalCode: '75001',
    phoneNumber: `+33${secret('phone')}`,
    email: `${secret('email')}@example.org`,
  };

  test('contain no personal data, key or secret of successful, refused or failed requests', async () => {
    const merchant = await server.createAccount({ name: secret('merchant'), email: `${secret('owner')}@example.org` });
    const call = (method: string, path: string, options: object = {}) => server.call(merchant, method, path, options);
    const shipment = {
      deliveryAddress: person,
      parcelDetails: { weight: 1, nature: secret('nature') },
      notes: secret('notes'),
      metadata: { secret: secret('metadata') },
    };
    geocoder.answerWith({ latitude: 48.86, longitude: 2.33 });
    await call('PUT', '/shipping/pickup-address', { body: person });
    geocoder.answerWith('error');
    await call('PUT', '/shipping/pickup-address', { body: { ...person, street: secret('elsewhere') } });
    await call('PUT', '/shipping/pickup-address', { body: { ...person, city: 7, coordinates: secret('point') } });
    await call('POST', '/shipping', { body: shipment, headers: { 'x-idempotency-key': secret('idempotency') } });
    await call('POST', '/shipping/batch', { body: { shippings: [shipment, { ...shipment, notes: 7 }] } });
    await call('POST', '/webhooks', {
      body: { url: `https://${secret('hook')}.example.org`, secret: secret('signing') },
    });
    await call('POST', '/rates', { rawBody: `{"weight": ${secret('json')}` });
    await call('POST', '/rates', { body: { weight: 1, scheduledDate: '2030-01-01', timeSlot: secret('slot') } });
    await call('GET', '/shipping', { query: { groupReference: secret('group'), status: secret('status') } });
    await call('GET', `/shipping/${secret('id')}`);
    await call('GET', `/${secret('route')}`, { query: { email: person.email } });
    await server.call({ key: secret('wrongkey'), clientId: secret('client') }, 'GET', '/account');

    // PostgreSQL repeats the whole row in the detail of such an error.
    await sql`alter table pickup_addresses add constraint impossible check (street = '') not valid`.execute(server.db);
    const failed = await call('PUT', '/shipping/pickup-address', { body: person });
    await sql`alter table pickup_addresses drop constraint impossible`.execute(server.db);
    expect(failed.status).toBe(500);
    expect(failed.body.message).not.toMatch(/canary|pickup_addresses/);

    const logged = server.logged();
    expect(logged).toContain('request failed');
    expect(logged).toContain('geocoder unavailable');
    expect(logged.match(/canary\w*|nvc_\w+/g)).toBeNull();
    expect(logged).not.toContain(merchant.key);
    expect(logged).not.toContain(merchant.key.slice(-20));
  });

  test('have one line per request with method, route, status, time, account, request id and trace id, and nothing else', async () => {
    const id = 'one-line-per-request';
    await server.call(account, 'GET', '/account', { query: { note: 'x' }, headers: { 'x-request-id': id } });
    const lines = () =>
      server
        .logged()
        .split('\n')
        .filter((line) => line.includes(id))
        .map((line) => JSON.parse(line));
    await eventually(() => expect(lines()).toHaveLength(1)); // written after the response was sent
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: process.pid,
        reqId: id,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        method: 'GET',
        route: `${BASE_PATH}/account`,
        status: 200,
        ms: expect.any(Number),
        account: account.id,
        msg: 'request',
      },
    ]);
  });

  test('contain the cause of a failure, while the caller only gets a reference to it', async () => {
    const stranger = await server.createAccount();
    await sql`alter table time_slots rename to time_slots_away`.execute(server.db);
    const headers = { 'x-request-id': 'find-me-in-the-log' };
    const answer = await server.call(stranger, 'POST', '/rates', { body: { weight: 1 }, headers });
    await sql`alter table time_slots_away rename to time_slots`.execute(server.db);
    expect(answer).toEqual(messageOnly(400));
    expect(answer.body.message).toContain('find-me-in-the-log');
    expect(answer.body.message).not.toContain('time_slots');
    expect(server.logged()).toMatch(/"reqId":"find-me-in-the-log","traceId":"\w{32}","err":\{.*time_slots/);
  });
});
