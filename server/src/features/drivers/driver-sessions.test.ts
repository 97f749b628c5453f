import { DRIVER_BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { crowd } from '../../../test/crowd.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { createDriverPush } from '../../realtime/driver-push.ts';
import { hashSecretToken } from '../../secrets/secret-token.ts';
import { countAttempt, openSessionFor } from './driver-sign-in.ts';
import { createDriver, createDriverSessions, setPassword } from './index.ts';

const PASSWORD = 'cheval correct';
const NEW_DEVICE = { device: null, previous: null };
const wrongCredentials = {
  status: 401,
  body: { success: false, error: 'WRONG_CREDENTIALS', message: expect.any(String) },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let people = 0;
const signIn = async (email: string, password: string) => {
  const { status, body } = await callApi(`${server.url}${DRIVER_BASE_PATH}/session`, {}, 'POST', {
    body: { email, password },
  });
  return { status, body };
};
const navette = async (args: string[], input?: unknown) =>
  runNavette(args, server.environment, input === undefined ? undefined : JSON.stringify(input));

describe('navette driver', () => {
  const person = () => ({
    firstName: 'Inès',
    lastName: 'Moreau',
    phoneNumber: '+33622222222',
    email: `ines-${++people}@example.org`,
    autoAccept: true,
  });

  test('create prints an id and a token that works at once; list shows the driver, never a secret', async () => {
    const input = person();
    const created = await navette(['driver', 'create', '--input', '-', '--json'], input);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { id, token, ...more } = JSON.parse(created.stdout);
    expect({ id, token, more }).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^navette_driver_\w{43}$/),
      more: {},
    });
    expect(await overHttp(server.url, { token })('readSession')).toEqual({
      status: 200,
      body: {
        success: true,
        driver: { id, ...input, available: false },
        deliveryKeys: [expect.any(String)],
        operatorPhone: null,
        paid: false,
        pushKey: null,
      },
    });
    const { stdout } = await navette(['driver', 'list']);
    expect(stdout).toContain(id);
    expect(stdout).not.toContain(token);
    const stored = await server.db.selectFrom('driver_sessions').selectAll().where('driver_id', '=', id).execute();
    expect(JSON.stringify(stored.map(({ token_hash }) => token_hash.toString()))).not.toContain(token.slice(-20));
  });

  test('create accepts a list: all drivers in its order, or none', async () => {
    const [ana, bo, cy] = [person(), person(), person()];
    const wrong = await navette(['driver', 'create', '--input', '-'], [ana, { ...bo, email: ana.email }]);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/driver 2: .*another driver/) });
    const created = await navette(['driver', 'create', '--input', '-', '--json'], [ana, bo, cy]);
    const emails = await crowd(1, JSON.parse(created.stdout), async ({ token }: { token: string }) => {
      const { body } = await overHttp(server.url, { token })('readSession');
      return body.driver.email;
    });
    expect(emails).toEqual([ana.email, bo.email, cy.email]);
  });

  test('create reports invalid input, and creates nothing', async () => {
    const taken = await createTestDriver(server.db);
    const cases: [input: object, message: RegExp][] = [
      [{ ...person(), email: taken.email.toUpperCase() }, /already used by another driver/],
      [{ ...person(), email: 'x' }, /email/],
      [{ ...person(), password: 'short' }, /password/],
      [{ ...person(), password: 'password1234' }, /password: too easy to guess/],
      [{ ...person(), wheels: 2 }, /wheels: unknown field/],
      [{ ...person(), phoneNumber: '02 345 67 89' }, /phoneNumber: .*with \+ and the country code/],
      [{ ...person(), phoneNumber: 'see the list' }, /phoneNumber: /],
      [{ firstName: 'Inès' }, /lastName: missing.*phoneNumber: missing/],
    ];
    for (const [input, message] of cases) await expect(createDriver(server.db, input)).rejects.toThrow(message);
    expect(await navette(['driver', 'create', '--input', '-'], { firstName: 'Inès' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('phoneNumber: missing'),
    });
  });

  test('disable ends the token and closes the open socket within a second, on every process', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    const app = await connectApp(server.url, driver);
    const closed = new Promise<number>((resolve) => app.socket.once('disconnect', () => resolve(Date.now())));
    expect(await app.send('readSession')).toMatchObject({ status: 200 });
    expect(await navette(['driver', 'disable', driver.email.toUpperCase()])).toMatchObject({ code: 0 });
    const disabled = await server.db
      .selectFrom('drivers')
      .select('disabled_at')
      .where('id', '=', driver.id)
      .executeTakeFirstOrThrow();
    expect((await closed) - Number(disabled.disabled_at)).toBeLessThan(timeLimitMs(2_000)); // the sweep takes a second
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
    await expect(connectApp(server.url, driver)).rejects.toMatchObject({ data: { error: 'INVALID_TOKEN' } });
    expect(await signIn(driver.email, PASSWORD)).toEqual(wrongCredentials);
    expect(await navette(['driver', 'disable', driver.id])).toMatchObject({ code: 1 });
  });
});

describe('a session', () => {
  test('starts with e-mail and password, whatever their case, and ends by signing out', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    const { status, body } = await signIn(driver.email.toUpperCase(), PASSWORD);
    expect({ status, id: body.driver.id }).toEqual({ status: 201, id: driver.id });
    const app = await connectApp(server.url, body);
    const closed = new Promise((resolve) => app.socket.once('disconnect', resolve));
    expect(await overHttp(server.url, body)('closeSession')).toEqual({ status: 200, body: { success: true } });
    await closed;
    expect(await overHttp(server.url, body)('readSession')).toMatchObject({ status: 401 });
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({ status: 200 }); // the other session stays open
  });

  test('whose cache entry is removed during a look-up fails no command, and is not cached by it', async () => {
    const { id, token } = await createTestDriver(server.db);
    const sessions = createDriverSessions(server.pools.prepared, () => new Date());
    const lookingUp = sessions.find(token);
    sessions.forget([hashSecretToken(token)]);
    expect(await lookingUp).toMatchObject({ driverId: id });
    await server.db.updateTable('driver_sessions').set({ closed_at: new Date() }).where('driver_id', '=', id).execute();
    expect(await sessions.find(token)).toBeNull();
  });

  test('an unknown e-mail, a wrong password and a driver without one get the same response', async () => {
    const [one, none] = [await createTestDriver(server.db, { password: PASSWORD }), await createTestDriver(server.db)];
    const answers = [
      await signIn('nobody@example.org', PASSWORD),
      await signIn(one.email, 'wrong'),
      await signIn(none.email, PASSWORD),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toEqual(wrongCredentials);
  });

  test('five wrong passwords lock sign-in for 15 minutes, even with the right one', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    const now = new Date();
    server.setNow(now);
    for (let i = 0; i < 4; i++) expect(await signIn(driver.email, `wrong ${i}`)).toEqual(wrongCredentials);
    expect(await signIn(driver.email, PASSWORD)).toMatchObject({ status: 201 }); // the right password resets the count
    for (let i = 0; i < 5; i++) expect(await signIn(driver.email, `wrong ${i}`)).toEqual(wrongCredentials);
    expect(await signIn(driver.email, PASSWORD)).toEqual(wrongCredentials);
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({ status: 200 }); // open sessions remain
    server.setNow(new Date(now.getTime() + 15 * 60_000 + 1));
    expect(await signIn(driver.email, PASSWORD)).toMatchObject({ status: 201 });
    server.setNow(null);
  });

  test('of forty concurrent guesses, five are compared', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    server.setNow(new Date(Date.now() + 3_600_000)); // a new minute of the limit per address
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({ status: 200 });
    const guesses = Array.from({ length: 40 }, (_, i) => (i < 20 ? `wrong ${i}` : PASSWORD));
    const answers = await crowd(20, guesses, (password) => signIn(driver.email, password));
    expect(answers.filter(({ status }) => status === 201)).toEqual([]);
    // An address that keeps guessing is throttled, while open sessions keep working.
    await crowd(10, guesses, (password) => signIn('nobody@example.org', password));
    expect(await signIn(driver.email, PASSWORD)).toMatchObject({ status: 429, body: { window: 'minute' } });
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({ status: 200 });
    server.setNow(null);
  });

  test('a password set by the operator lifts the lock, and ends all earlier sessions', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    server.setNow(new Date(Date.now() + 7_200_000));
    for (let i = 0; i < 5; i++) await signIn(driver.email, 'wrong');
    const guessable = await runNavette(['driver', 'password', driver.email], server.environment, 'aaaaaaaaaaaa\n');
    expect(guessable).toMatchObject({ code: 2, stderr: expect.stringContaining('too easy to guess') });
    const set = await runNavette(['driver', 'password', driver.email], server.environment, 'nouveau secret\n');
    expect(set).toMatchObject({ code: 0 });
    expect(await overHttp(server.url, driver)('readSession')).toMatchObject({ status: 401 });
    const { status, body } = await signIn(driver.email, 'nouveau secret');
    expect(status).toBe(201);
    expect(await overHttp(server.url, body)('readSession')).toMatchObject({ status: 200 });
    server.setNow(null);
  });
});

test('a password that was replaced while it was being checked opens no session', async () => {
  const { id, email } = await createTestDriver(server.db, { password: PASSWORD });
  const attempt = await countAttempt(server.db, email, new Date());
  if (!attempt) throw new Error('nobody locked it');
  await expect(openSessionFor(server.db, attempt, NEW_DEVICE, new Date())).resolves.toMatchObject({ driverId: id });
  await setPassword(server.db, id, 'nouveau secret');
  await expect(openSessionFor(server.db, attempt, NEW_DEVICE, new Date())).rejects.toMatchObject({ status: 401 });
});

describe('the socket', () => {
  let driver: TestDriver;
  beforeAll(async () => {
    driver = await createTestDriver(server.db);
  });

  test.each([undefined, '', 'navette_driver_wrong', 42, { $ne: null }, 'a\r\nb'])(
    'with %j as token is refused',
    async (token) => {
      await expect(connectApp(server.url, { token: token as string })).rejects.toMatchObject({
        data: { status: 401, error: expect.stringMatching(/MISSING_TOKEN|INVALID_TOKEN/) },
      });
    },
  );

  test('responds as HTTP does to field errors, unknown commands and payloads that are no object', async () => {
    const app = await connectApp(server.url, driver);
    const wrong = { latitude: 91, longitude: '2' };
    const [socket, http] = [
      await app.send('sendPosition', wrong),
      await overHttp(server.url, driver)('sendPosition', wrong),
    ];
    expect(socket).toEqual(http);
    expect(socket).toMatchObject({ status: 400, body: { errors: [{ path: 'latitude' }, { path: 'longitude' }] } });
    expect(await app.send('createSession', {})).toMatchObject({ status: 404 });
    expect(await app.send('fly' as never, {})).toMatchObject({ status: 404 });
    for (const payload of [null, 7, 'x', ['y'], {}])
      expect(await app.send('setAvailability', payload as never)).toMatchObject({ status: 400 });
    app.socket.emit('setAvailability', { available: true }); // without an acknowledgement
    await eventually(async () => expect((await app.send('readSession')).body.driver.available).toBe(true));
    app.close();
  });

  test('survives any value sent as an id, and responds as to an unknown one', async () => {
    const app = await connectApp(server.url, driver);
    const unknown = await overHttp(server.url, driver)('readShipment', { id: 'unknown' });
    expect(unknown.status).toBe(404);
    for (const id of [undefined, null, 7, '\ud800', 'a\udc00', ['x'], { toString: 1, valueOf: 1 }, { toString: null }])
      expect(await app.send('readShipment', { id })).toEqual(unknown);
    app.socket.emit('acceptOffer', { id: { toString: 1, valueOf: 1 } }); // without an acknowledgement
    expect(await app.send('readSession')).toMatchObject({ status: 200 });
    app.close();
  });

  test('receives missed pushes after a short disconnection', async () => {
    const app = await connectApp(server.url, driver);
    const driverPush = createDriverPush(server.config);
    const send = async (n: number) => {
      await eventually(() => driverPush.send(driver.id, 'shipment-changed', { n }));
    };
    const received = () => app.received.map(({ payload }) => payload.n);
    await send(1);
    await eventually(() => expect(received()).toEqual([1]));
    app.socket.io.engine.close(); // closed by the network, not by the app
    await eventually(() => expect(app.socket.connected).toBe(false));
    await send(2);
    await vi.waitFor(() => expect(app.socket.connected).toBe(true), { timeout: 240_000 });
    await send(3);
    await vi.waitFor(() => expect(received()).toEqual([1, 2, 3]), { timeout: 240_000 });
    expect(app.socket.recovered).toBe(true);
    driverPush.close();
    app.close();
  });
});

test('a socket that reconnects with another driver’s token is refused, and receives no push of the first driver', async () => {
  const [one, other] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  const app = await connectApp(server.url, one);
  const driverPush = createDriverPush(server.config);
  await eventually(() => driverPush.send(one.id, 'shipment-changed', { n: 1 }));
  await eventually(() => expect(app.received).toHaveLength(1)); // from here on its state could be recovered
  const refused = new Promise<Error>((resolve) => app.socket.once('connect_error', resolve));
  app.socket.auth = { token: other.token };
  app.socket.io.engine.close();
  expect(await refused).toMatchObject({ data: { status: 401 } });
  expect(app.socket.connected).toBe(false);
  driverPush.close();
  app.close();
});

describe('a position', () => {
  test('is kept at most once a second', async () => {
    const driver = await createTestDriver(server.db);
    const send = overHttp(server.url, driver);
    const place = { latitude: 48.85, longitude: 2.35 };
    const now = Date.now();
    const kept = [];
    for (const later of [0, 400, 999, 1_001, 2_500]) {
      server.setNow(new Date(now + later));
      kept.push((await send('sendPosition', place)).body.kept);
    }
    server.setNow(null);
    expect(kept).toEqual([true, false, false, true, true]);
  });
});
