import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONSOLE_BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleCaller, createTestStaff } from '../../../test/console.ts';
import { startTestIssuer, type TestIssuer } from '../../../test/test-issuer.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

const FAILED = '/console/sign-in?error=SINGLE_SIGN_ON_FAILED';
const NO_ROLE = '/console/sign-in?error=SINGLE_SIGN_ON_NO_ROLE';
const START = `${CONSOLE_BASE_PATH}/single-sign-on`;

let issuer: TestIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await startTestIssuer();
  server = await startTestServer({ ...issuer.settings, STAFF_PASSWORD_SIGN_IN: 'off' });
  issuer.trust(`${server.config.publicUrl}${START}/return`);
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});

let count = 0;
beforeEach(() => {
  server.setNow(null);
  const id = `person-${++count}`;
  const claims = { email: `${id}@example.org`, email_verified: true, name: 'Ana Leroy', role: 'dispatcher' };
  issuer.person = { id, claims };
});

interface Journey {
  /** Changes the address of a redirect before the browser follows it. */
  through?: (url: URL) => void;
  /** Between the start and the return. */
  meanwhile?: () => void;
  at?: TestServer;
}

/** A browser that follows every redirect, keeps cookies by host, and returns the last location at the console. */
async function browse({ through, meanwhile, at = server }: Journey = {}) {
  const cookies = new Map<string, Map<string, string>>();
  const publicUrl = new URL(at.config.publicUrl);
  let next = new URL(`${at.url}${START}`);
  for (let hop = 0; hop < 10; hop++) {
    const jar = cookies.get(next.host) ?? new Map<string, string>();
    cookies.set(next.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, headers } = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = headers.get('location');
    if (location === null) throw new Error(`${next.href} answered ${status}`);
    if (location.startsWith('/console')) {
      const session = jar.get('__Host-navette-console');
      return { location, call: consoleCaller(at.url, session ? { cookie: `__Host-navette-console=${session}` } : {}) };
    }
    next = new URL(location, next);
    if (next.host === publicUrl.host) next = new URL(`${next.pathname}${next.search}`, at.url);
    if (hop === 0) meanwhile?.();
    if (hop === 0) through?.(next);
  }
  throw new Error('too many redirects');
}

describe('single sign-on', () => {
  test('opens a session with the role of the claim, which counts as having a second factor', async () => {
    const { location, call } = await browse();
    expect(location).toBe('/console');
    expect((await call('readSession')).body).toMatchObject({
      staff: { name: 'Ana Leroy', email: issuer.person.claims.email, role: 'dispatcher', singleSignOn: true },
      may: ['read', 'dispatch'],
      secondFactorMissing: false,
    });
    expect(await call('listStaff')).toMatchObject({ status: 200 });
  });

  test('takes the role from the claim again at each sign-in, from a list the one that allows most', async () => {
    const first = await browse();
    issuer.person.claims.role = ['staff', 'support', 'admin'];
    const { call } = await browse();
    const { body } = await call('readSession');
    expect(body.staff.role).toBe('admin');
    expect((await first.call('readSession')).body.staff).toMatchObject({ id: body.staff.id, role: 'admin' });
  });

  test('takes over the staff member who has the verified address, and nobody for an unverified one', async () => {
    const invited = await createTestStaff(server, 'support');
    issuer.person.claims.email = invited.email;
    issuer.person.claims.email_verified = false;
    expect(await browse()).toMatchObject({ location: FAILED });
    issuer.person.claims.email_verified = true;
    const { call } = await browse();
    expect((await call('readSession')).body.staff).toMatchObject({ id: invited.id, role: 'dispatcher' });
  });

  test('works after the provider has rotated its keys, also while a person signs in there', async () => {
    issuer.rotateKeys();
    expect(await browse()).toMatchObject({ location: '/console' });
    expect(await browse({ meanwhile: () => issuer.rotateKeys() })).toMatchObject({ location: '/console' });
  });

  test.each([
    ['slightly ahead', -30, '/console'],
    ['slightly behind', 30, '/console'],
    ['far ahead', -600, FAILED],
    ['far behind, so that the token has expired', 2 * 3_600, FAILED],
  ])('with a provider whose clock is %s', async (_, seconds, location) => {
    server.setNow(new Date(Date.now() + seconds * 1_000));
    expect(await browse()).toMatchObject({ location });
  });

  test.each(['nonce', 'state'])('is refused with another %s than the browser’s', async (field) => {
    const through = (url: URL) => url.searchParams.set(field, 'of-another-browser-and-long-enough-0123456789');
    const { location, call } = await browse({ through });
    expect(location).toBe(FAILED);
    expect(await call('readSession')).toMatchObject({ status: 401 });
  });

  test('is refused without the cookie of the start: a link with a code signs nobody in', async () => {
    const answer = await fetch(`${server.url}${START}/return?code=stolen&state=stolen`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, FAILED]);
    expect(answer.headers.getSetCookie().join()).not.toContain('navette-console');
  });

  test.each([
    ['an unknown role', 'intern'],
    ['no role', undefined],
    ['an empty list', []],
  ])('is refused with %s, and creates nobody', async (_, role) => {
    issuer.person.claims.role = role;
    expect(await browse()).toMatchObject({ location: NO_ROLE });
    const { email } = issuer.person.claims;
    const rows = await server.db.selectFrom('staff').select('id').where('email', '=', String(email)).execute();
    expect(rows).toEqual([]);
  });

  test('is refused for a token of another issuer', async () => {
    const metadata = await (await fetch(`${issuer.url}/.well-known/openid-configuration`)).json();
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...(metadata as object), issuer: otherUrl }));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const misled = await startTestServer({
      ...issuer.settings,
      OIDC_ISSUER: otherUrl,
      PUBLIC_URL: server.config.publicUrl,
    });
    expect(await browse({ at: misled })).toMatchObject({ location: FAILED });
    await misled.stop();
    await new Promise((resolve) => other.close(resolve));
  });

  test('leads back to the sign-in page while the provider is down', async () => {
    const without = await startTestServer({ ...issuer.settings, OIDC_ISSUER: 'http://127.0.0.1:9' });
    expect(await browse({ at: without })).toMatchObject({ location: FAILED });
    await without.stop();
  });
});

describe('the ways to sign in', () => {
  test('are listed, and passwords are refused everywhere when they are off', async () => {
    const guest = consoleCaller(server.url);
    const ways = { success: true, password: false, singleSignOn: { name: 'Example Ltd' } };
    expect((await guest('readSignInWays')).body).toEqual(ways);
    const { email, password } = await createTestStaff(server);
    const off = { status: 403, body: { error: 'PASSWORD_SIGN_IN_OFF' } };
    expect(await guest('signIn', { body: { email, password } })).toMatchObject(off);
    expect(await guest('requestPasswordReset', { body: { email } })).toMatchObject(off);
    expect(await guest('resetPassword', { body: { token: 'x', password: 'quatre mots sans rapport' } })).toMatchObject(
      off,
    );
  });

  test('are passwords only without a provider, whose endpoints answer 404', async () => {
    const plain = await startTestServer();
    const guest = consoleCaller(plain.url);
    expect((await guest('readSignInWays')).body).toEqual({ success: true, password: true, singleSignOn: null });
    for (const name of ['startSingleSignOn', 'finishSingleSignOn'] as const)
      expect(await guest(name)).toMatchObject({ status: 404 });
    await plain.stop();
  });
});
