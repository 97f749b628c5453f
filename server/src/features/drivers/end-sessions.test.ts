import { once } from 'node:events';
import { DRIVER_BASE_PATH } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { crowd } from '../../../test/crowd.ts';
import { connectApp, createTestDriver, overHttp } from '../../../test/driver-app.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { createDriverSessions } from './driver-sessions.ts';
import { purgeDriverSessions } from './purge-driver-sessions.handler.ts';

const PASSWORD = 'cheval correct';
const DAY_MS = 86_400_000;
const PHONE = 'Navette/1.4 (Android 15; Pixel 9)';
const START = new Date();
const after = (days: number, ms = 0) => new Date(START.getTime() + days * DAY_MS + ms);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
afterEach(() => server.setNow(null));

interface SignIn {
  password?: string;
  previousToken?: string;
  device?: string;
}

async function signIn(email: string, { password = PASSWORD, previousToken, device = PHONE }: SignIn = {}) {
  const { status, body } = await callApi(`${server.url}${DRIVER_BASE_PATH}/session`, {}, 'POST', {
    body: { email, password, ...(previousToken ? { previousToken } : {}) },
    headers: { 'user-agent': device },
  });
  return { status, token: body.token as string };
}

const signedIn = () => createTestDriver(server.db, { password: PASSWORD });
const statusOf = async (token: string) => (await overHttp(server.url, { token })('readSession')).status;
const becomes = (token: string, status: number) =>
  vi.waitFor(async () => expect(await statusOf(token)).toBe(status), { timeout: 240_000 });
/** Uses the token in a process without a cache. */
const use = (token: string, at: Date) => createDriverSessions(server.pools.main, () => at).find(token);
const rowsOf = (driverId: string) =>
  server.db.selectFrom('driver_sessions').selectAll().where('driver_id', '=', driverId).orderBy('created_at').execute();
const listOf = async (token: string) =>
  (await overHttp(server.url, { token })('listSessions')).body.sessions as {
    id: string;
    device: string | null;
    lastUsedAt: string;
    current: boolean;
  }[];

describe('a session expires', () => {
  test('after 30 days without use, also when only a socket is open', async () => {
    server.setNow(START);
    const { email } = await signedIn();
    const { token } = await signIn(email);
    server.setNow(after(30, -1_000));
    await becomes(token, 200); // this use starts another 30 days
    const app = await connectApp(server.url, { token });
    const closed = once(app.socket as never, 'disconnect');
    server.setNow(after(60, -1_000));
    await closed;
    await becomes(token, 401);
    await expect(connectApp(server.url, { token })).rejects.toMatchObject({ data: { error: 'INVALID_TOKEN' } });
  });

  test('180 days after sign-in, however often it was used', async () => {
    server.setNow(START);
    const { email } = await signedIn();
    const { token } = await signIn(email);
    for (const day of [29, 58, 87, 116, 145, 174]) expect(await use(token, after(day))).not.toBeNull();
    expect(await use(token, after(180, -1))).not.toBeNull();
    expect(await use(token, after(180))).toBeNull();
    server.setNow(after(180));
    await becomes(token, 401);
  });

  test('and records its use once in ten minutes, not with each command', async () => {
    server.setNow(START);
    const { email } = await signedIn();
    const { token } = await signIn(email);
    const lastUsed = async () => {
      const session = (await listOf(token)).find(({ current }) => current);
      return Date.parse(session?.lastUsedAt ?? '') - START.getTime();
    };
    for (const ms of [1_000, 60_000, 599_999]) {
      expect(await use(token, after(0, ms))).not.toBeNull();
      expect(await lastUsed()).toBe(0);
    }
    await use(token, after(0, 600_000));
    expect(await lastUsed()).toBe(600_000);
    await use(token, after(0, 1_199_999));
    expect(await lastUsed()).toBe(600_000);
  });

  test('and is purged 60 days later; a session that was ended is purged at once', async () => {
    const { id, token, email } = await signedIn();
    server.setNow(START);
    await signIn(email);
    await overHttp(server.url, { token })('closeSession');
    const left = async (now: Date) => {
      await purgeDriverSessions(server.db, now);
      return (await rowsOf(id)).length;
    };
    expect((await rowsOf(id)).length).toBe(2);
    expect(await left(START)).toBe(1);
    expect(await left(after(90, -1))).toBe(1);
    expect(await left(after(90))).toBe(0);
  });
});

describe('a driver’s sessions', () => {
  test('are listed with device and times, by ids that are no tokens', async () => {
    server.setNow(START);
    const other = await signedIn();
    const { id, email } = await signedIn();
    await server.db.deleteFrom('driver_sessions').where('driver_id', '=', id).execute();
    const first = await signIn(email, { device: 'Navette/7 CFNetwork/1410.0.3 Darwin/22.6.0' });
    server.setNow(after(1));
    const { token } = await signIn(email);
    const { status, body } = await overHttp(server.url, { token })('listSessions');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        sessions: [
          {
            id: expect.any(String),
            device: 'Android',
            createdAt: after(1).toISOString(),
            lastUsedAt: after(1).toISOString(),
            expiresAt: after(31).toISOString(),
            current: true,
          },
          expect.objectContaining({ device: 'iOS', expiresAt: after(30).toISOString(), current: false }),
        ],
      },
    });
    const hashes = (await rowsOf(id)).map(({ token_hash }) => token_hash.toString('hex'));
    for (const { id: publicId } of body.sessions) {
      expect(hashes).not.toContain(publicId);
      expect(await statusOf(publicId)).toBe(401);
    }
    expect(JSON.stringify(body)).not.toMatch(new RegExp([...hashes, token, first.token].join('|')));
    expect(await listOf(other.token)).toHaveLength(1);
    const app = await connectApp(server.url, { token });
    expect((await app.send('listSessions')).body).toEqual(body);
    app.close();
  });

  test('expire 180 days after the start at the latest, whatever the last use', async () => {
    server.setNow(START);
    const { token, id } = await signedIn();
    await server.db
      .updateTable('driver_sessions')
      .set({ expires_at: after(3) })
      .where('driver_id', '=', id)
      .execute();
    const { body } = await overHttp(server.url, { token })('listSessions');
    expect(body.sessions).toMatchObject([{ expiresAt: after(3).toISOString() }]);
  });

  test.each(['http', 'realtime'] as const)(
    'one is ended over %s: its token and its socket within a second, and no other',
    async (channel) => {
      const { email, token: kept } = await signedIn();
      const { token: lost } = await signIn(email);
      const app = await connectApp(server.url, { token: kept });
      const thief = await connectApp(server.url, { token: lost });
      const closed = once(thief.socket as never, 'disconnect').then(() => Date.now());
      const send = channel === 'http' ? overHttp(server.url, { token: kept }) : app.send;
      const id = (await listOf(lost)).find(({ current }) => current)?.id;
      expect(await send('endSession', { id })).toEqual({ status: 200, body: { success: true } });
      const at = Date.now();
      expect(await statusOf(lost)).toBe(401);
      expect((await closed) - at).toBeLessThan(timeLimitMs(2_000)); // the sweep takes a second
      expect(await statusOf(kept)).toBe(200);
      expect(app.socket.connected).toBe(true);
      expect(await send('endSession', { id })).toMatchObject({ status: 404 });
      app.close();
    },
  );

  test('another driver’s is not found, and stays open', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const [theirs] = await listOf(other.token);
    const send = overHttp(server.url, one);
    for (const id of [theirs?.id, '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60', 'x', "1' or 1=1"])
      expect(await send('endSession', { id })).toEqual({
        status: 404,
        body: { success: false, message: expect.stringMatching(/^Session introuvable/) },
      });
    expect(await statusOf(other.token)).toBe(200);
  });

  test('all others are ended at once', async () => {
    const { email, token } = await signedIn();
    const others = [await signIn(email), await signIn(email)];
    expect(await overHttp(server.url, { token })('endOtherSessions')).toMatchObject({ status: 200 });
    expect(await Promise.all([token, ...others.map((other) => other.token)].map(statusOf))).toEqual([200, 401, 401]);
    expect(await listOf(token)).toMatchObject([{ current: true }]);
  });

  test('two devices that end all others at the same time do not deadlock', async () => {
    const { email } = await signedIn();
    for (let round = 0; round < 5; round++) {
      const tokens = [await signIn(email), await signIn(email), await signIn(email)].map(({ token }) => token);
      const answers = await Promise.all(tokens.map((token) => overHttp(server.url, { token })('endOtherSessions')));
      for (const { status } of answers) expect([200, 401]).toContain(status);
      expect(answers.map(({ status }) => status)).toContain(200);
    }
  });
});

describe('the operator', () => {
  const navette = (...args: string[]) => runNavette(['driver', ...args, '--json'], server.environment);

  test('lists and ends sessions, one or all', async () => {
    const { email, token } = await signedIn();
    const { token: second } = await signIn(email);
    const listed = await navette('sessions', email);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const sessions = JSON.parse(listed.stdout) as { id: string; device: string | null }[];
    expect(sessions).toHaveLength(2);
    expect(listed.stdout).not.toContain(token.slice(-20));
    const id = sessions.find(({ device }) => device === 'Android')?.id ?? '';
    expect(JSON.parse((await navette('sign-out', email, id)).stdout)).toMatchObject({ sessionsEnded: 1 });
    await becomes(second, 401);
    expect(await statusOf(token)).toBe(200);
    expect(await navette('sign-out', email, id)).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
    expect(JSON.parse((await navette('sign-out', email)).stdout)).toMatchObject({ sessionsEnded: 1 });
    await becomes(token, 401);
    expect((await signIn(email)).status).toBe(201); // the password still works
  });

  test('issues a token to a driver without a password, but not to a disabled one', async () => {
    const driver = await createTestDriver(server.db);
    const { stdout, stderr } = await navette('token', driver.email);
    expect(stderr).toBe('');
    expect(await statusOf(JSON.parse(stdout).token)).toBe(200);
    await navette('disable', driver.email);
    expect(await navette('token', driver.email)).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('while a stranger’s wrong passwords lock a driver’s e-mail', () => {
  const lock = async (email: string) => {
    for (let i = 0; i < 5; i++) expect((await signIn(email, { password: `wrong ${i}` })).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
  };

  test('a device that the driver was signed in on can sign in with its old token, expired or not, which then ends', async () => {
    server.setNow(START);
    const { email } = await signedIn();
    const { token: old } = await signIn(email);
    server.setNow(after(40));
    await becomes(old, 401);
    await lock(email);
    const back = await signIn(email, { previousToken: old });
    expect(back.status).toBe(201);
    await lock(email);
    expect(await statusOf(back.token)).toBe(200); // open sessions remain
    const again = await signIn(email, { previousToken: back.token });
    expect(again.status).toBe(201);
    await becomes(back.token, 401);
    await lock(email);
    expect((await signIn(email, { previousToken: back.token })).status).toBe(401); // that token was replaced
  });

  test('neither another driver’s token, an ended one nor an invented one lifts the lock', async () => {
    const { email, token } = await signedIn();
    const other = await signedIn();
    await lock(email);
    for (const previousToken of [other.token, 'navette_driver_x']) {
      expect((await signIn(email, { previousToken })).status).toBe(401);
    }
    expect(await statusOf(other.token)).toBe(200);
    await runNavette(['driver', 'sign-out', email], server.environment);
    expect((await signIn(email, { previousToken: token })).status).toBe(401);
  });

  test('the device has five wrong passwords of its own, however many arrive at once', async () => {
    server.setNow(new Date(START.getTime() + 3_600_000)); // a new minute of the limit per address
    const { email, token } = await signedIn();
    await lock(email);
    const guesses = Array.from({ length: 20 }, (_, i) => (i < 10 ? `wrong ${i}` : PASSWORD));
    const answers = await crowd(10, guesses, (password) => signIn(email, { password, previousToken: token }));
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
    server.setNow(new Date(START.getTime() + 3_600_000 + 15 * 60_000 + 1));
    expect((await signIn(email, { previousToken: token })).status).toBe(201);
  });
});
