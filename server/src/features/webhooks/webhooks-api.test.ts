import { WEBHOOK_EVENTS } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { messageOnly, refusedAs } from '../../../test/envelopes.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

const NOBODY = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';
const SECRET = 'a-secret-that-nobody-else-has';

let server: TestServer;
let shop: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount();
  other = await server.createAccount();
});
afterAll(() => server.stop());

let made = 0;
const newUrl = () => `https://shop.example.org/navette/${++made}`;
const post = (body: unknown, account = shop) => server.call(account, 'POST', '/webhooks', { body });
const create = async (changes = {}, account = shop) =>
  (await post({ url: newUrl(), events: ['shipping.created'], ...changes }, account)).body.webhook;
const list = async (account = shop) => (await server.call(account, 'GET', '/webhooks')).body.webhooks;

/** Every error of a write has this slug and these fields only. */
const invalid = (details: unknown = expect.any(String)) =>
  expect.objectContaining({
    status: 400,
    body: { success: false, error: 'VALIDATION_ERROR', message: expect.any(String), details },
  });

/** Makes the database reject writes of this account, to cause an unexpected failure. */
async function whileWritesFail(work: () => Promise<void>): Promise<void> {
  await sql`alter table webhooks rename to webhooks_away`.execute(server.db);
  try {
    await work();
  } finally {
    await sql`alter table webhooks_away rename to webhooks`.execute(server.db);
  }
}

describe('POST /webhooks', () => {
  test('201 returns the webhook with a generated secret in plain text', async () => {
    const url = newUrl();
    const { status, body } = await post({ url, events: ['shipping.created', 'shipping.delivered'] });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      success: true,
      webhook: {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url,
        events: ['shipping.created', 'shipping.delivered'],
        secret: expect.stringMatching(/^navette_whsec_[\w-]{43}$/),
        isActive: true,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await create()).secret).not.toBe(body.webhook.secret);
  });

  test('stores a given secret, an inactive state, and each event once', async () => {
    const sent = { secret: SECRET, isActive: false, events: ['shipping.created', 'shipping.created'] };
    expect(await create(sent)).toMatchObject({ secret: SECRET, isActive: false, events: ['shipping.created'] });
    expect((await create({ events: [...WEBHOOK_EVENTS] })).events).toEqual([...WEBHOOK_EVENTS]);
  });

  test('400 VALIDATION_ERROR for every wrong field, with all of them in details', async () => {
    const cases: [body: unknown, details: RegExp][] = [
      [{}, /url.*events/s],
      [{ url: newUrl(), events: [] }, /events/],
      [{ url: newUrl(), events: ['shipping.in_transit'] }, /events/],
      [{ url: newUrl(), events: ['in_transit'] }, /events/],
      [{ url: newUrl(), events: 'shipping.created' }, /events/],
      [{ url: newUrl(), events: ['shipping.created'], isActive: 'true' }, /isActive/],
      [{ url: newUrl(), events: ['shipping.created'], secret: '' }, /secret/],
      [{ url: 'shop.example.org', events: ['shipping.created'] }, /url/],
      [{ url: `https://shop.example.org/${'x'.repeat(2_000)}`, events: ['shipping.created'] }, /url/],
      [[], /./],
      [null, /./],
    ];
    for (const [body, details] of cases) expect(await post(body)).toEqual(invalid(expect.stringMatching(details)));
  });

  test('400 VALIDATION_ERROR for a forbidden address', async () => {
    const urls = [
      'ftp://shop.example.org/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:password@shop.example.org/',
      'http://localhost:8080/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data/',
    ];
    for (const url of urls) expect(await post({ url, events: ['shipping.created'] })).toEqual(invalid());
  });

  test('400 VALIDATION_ERROR for a second webhook at the same address, also when created concurrently', async () => {
    const { url } = await create();
    expect(await post({ url, events: ['shipping.created'] })).toEqual(invalid(expect.stringContaining('déjà')));
    expect((await post({ url, events: ['shipping.created'] }, other)).status).toBe(201);

    const contested = newUrl();
    const answers = await crowd(8, Array(8).fill(contested), (url) => post({ url, events: ['shipping.created'] }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) expect([201, 400]).toContain(answer.status);
  });

  test('400 VALIDATION_ERROR beyond twenty webhooks, also when created concurrently', async () => {
    const account = await server.createAccount();
    const answers = await crowd(8, Array(30).fill(0), () =>
      post({ url: newUrl(), events: ['shipping.created'] }, account),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expect(answer).toEqual(invalid(expect.stringContaining('maximal')));
    expect(await list(account)).toHaveLength(20);
  });

  test('an account that already has more can change them, and cannot add any', async () => {
    const account = await server.createAccount();
    const { _id } = await create({}, account);
    await sql`
      insert into webhooks (account_id, id, url, events, secret_key, sealed_secret, is_active)
      select account_id, gen_random_uuid(), url || n, events, secret_key, sealed_secret, is_active
      from webhooks, generate_series(1, 24) n where id = ${_id}`.execute(server.db);
    expect(await post({ url: newUrl(), events: ['shipping.created'] }, account)).toEqual(invalid());
    const body = { events: ['shipping.delivered'] };
    expect((await server.call(account, 'PUT', `/webhooks/${_id}`, { body })).status).toBe(200);
    const { count } = await server.db
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(25);
  });

  test('400 VALIDATION_ERROR for malformed JSON; 413 and 415 as for every endpoint', async () => {
    const raw = (rawBody: string, headers = {}) => server.call(shop, 'POST', '/webhooks', { rawBody, headers });
    expect(await raw('{"url":')).toEqual(invalid());
    expect(await raw('{"url":"\\u0000"}')).toEqual(invalid());
    expect(await raw('url=x', { 'content-type': 'text/plain' })).toEqual(messageOnly(415));
    expect(await raw(`{"url":"${'x'.repeat(1_048_576)}"}`)).toEqual(messageOnly(413));
  });

  test('400 VALIDATION_ERROR for a failure of the server, with the request id and without the cause', async () => {
    await whileWritesFail(async () => {
      const answer = await post({ url: newUrl(), events: ['shipping.created'] });
      expect(answer).toEqual(invalid(answer.headers.get('x-request-id')));
      expect(JSON.stringify(answer.body)).not.toMatch(/relation|webhooks_away|select|insert/i);
    });
  });

  test('403 and 401 keep their own envelopes', async () => {
    const reader = await server.createAccount({}, ['read']);
    expect(await post({}, reader)).toEqual(refusedAs('INSUFFICIENT_PERMISSIONS'));
    expect(await post({}, { ...shop, key: '' })).toEqual(refusedAs('MISSING_API_KEY'));
  });
});

describe('GET /webhooks', () => {
  test('200 lists the account’s own, oldest first, with their secrets', async () => {
    const account = await server.createAccount();
    expect(await list(account)).toEqual([]);
    const first = await create({ secret: SECRET }, account);
    const second = await create({}, account);
    expect(await list(account)).toStrictEqual([first, second]);
    expect((await list(other)).map(({ _id }: { _id: string }) => _id)).not.toContain(first._id);
  });

  test('secrets are encrypted in the database and absent from the log', async () => {
    const secret = 'easily-found-secret-0123456789';
    const { _id } = await create({ secret });
    await list();
    const row = await server.db.selectFrom('webhooks').selectAll().where('id', '=', _id).executeTakeFirstOrThrow();
    expect(row.sealed_secret.includes(secret)).toBe(false);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(server.logged()).not.toContain(secret);
  });

  test('500 INTERNAL_ERROR for a failure of the server', async () => {
    await whileWritesFail(async () => {
      const { status, body } = await server.call(shop, 'GET', '/webhooks');
      expect({ status, body }).toEqual({
        status: 500,
        body: { success: false, error: 'INTERNAL_ERROR', message: expect.any(String) },
      });
    });
  });
});

describe('PUT /webhooks/:id', () => {
  const put = (id: string, body: unknown, account = shop) => server.call(account, 'PUT', `/webhooks/${id}`, { body });

  test('200 changes the given fields only, and never the secret', async () => {
    const before = await create({ events: ['shipping.created'] });
    const url = newUrl();
    const changes: [change: object, result: object][] = [
      [{ isActive: false }, { isActive: false }],
      [{ url }, { url }],
      [{ events: ['shipping.cancelled'] }, { events: ['shipping.cancelled'] }],
      [{ secret: 'ignored' }, {}],
      [{}, {}],
    ];
    let expected = before;
    for (const [change, result] of changes) {
      expected = { ...expected, ...result, updatedAt: expect.any(String) };
      expect((await put(before._id, change)).body).toStrictEqual({ success: true, webhook: expected });
    }
    expect(await list()).toContainEqual(expected);
  });

  test('400 VALIDATION_ERROR with the same message for an unknown, foreign or malformed id', async () => {
    const foreign = await create({}, other);
    const answers = await Promise.all([NOBODY, foreign._id, 'x'].map((id) => put(id, { isActive: false })));
    for (const answer of answers) expect(answer).toEqual(invalid());
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await list(other)).find(({ _id }: { _id: string }) => _id === foreign._id)).toStrictEqual(foreign);
  });

  test('400 VALIDATION_ERROR for a wrong field, a forbidden address, and the address of another webhook', async () => {
    const [one, two] = [await create(), await create()];
    expect(await put(one._id, { events: ['x'] })).toEqual(invalid(expect.stringContaining('events')));
    expect(await put(one._id, { url: 'http://10.0.0.1/' })).toEqual(invalid(expect.stringContaining('publique')));
    expect(await put(one._id, { url: two.url })).toEqual(invalid(expect.stringContaining('déjà')));
    expect(await list()).toContainEqual(one);
  });

  test('400 VALIDATION_ERROR for a failure of the server', async () => {
    const { _id } = await create();
    await whileWritesFail(async () => expect(await put(_id, { isActive: false })).toEqual(invalid()));
  });
});

describe('DELETE /webhooks/:id', () => {
  const remove = (id: string, account = shop) => server.call(account, 'DELETE', `/webhooks/${id}`);

  test('200 deletes it, once', async () => {
    const webhook = await create();
    expect(await remove(webhook._id)).toMatchObject({ status: 200, body: { success: true } });
    expect(await list()).not.toContainEqual(webhook);
    expect(await remove(webhook._id)).toEqual(invalid());
    expect((await post({ url: webhook.url, events: ['shipping.created'] })).status).toBe(201);
  });

  test('400 VALIDATION_ERROR for an unknown, foreign or malformed id', async () => {
    const foreign = await create({}, other);
    for (const id of [NOBODY, foreign._id, '%20']) expect(await remove(id)).toEqual(invalid());
    expect(await list(other)).toContainEqual(foreign);
  });

  test('403 INSUFFICIENT_PERMISSIONS for a key without the scope `delete`, as default keys are', async () => {
    const account = await server.createAccount({}, ['read', 'write']);
    const { _id } = await create({}, account);
    expect(await remove(_id, account)).toEqual(refusedAs('INSUFFICIENT_PERMISSIONS'));
  });
});
