import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { BASE_PATH, DRIVER_SOCKET_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Route, routesOf } from '../../test/routes-of.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { createLog } from '../observability/create-log.ts';
import { createHttpServer } from './server.ts';

const STRICT_TRANSPORT = 'max-age=31536000';
const SECRET = 'long-enough-to-be-a-secret-of-a-test';
const OWN_SECRETS = { LINK_SECRETS: SECRET, WEBHOOK_SECRET_KEYS: SECRET, SECOND_FACTOR_KEYS: SECRET };

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://navette.example', ...OWN_SECRETS });
  account = await server.createAccount();
});
afterAll(() => server.stop());

const send = ({ method, path }: Route, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' });
const isPage = ({ headers }: Pick<Response, 'headers'>) =>
  headers.get('content-type')?.startsWith('text/html') ?? false;

/** The missing headers and policies of a response. */
function faultsOf({ headers }: Response): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src')) ?? '';
  const faults = {
    'no nosniff': headers.get('x-content-type-options') !== 'nosniff',
    'no HSTS': headers.get('strict-transport-security') !== STRICT_TRANSPORT,
  };
  const faultsOfPage = {
    'may be framed': !policy.includes("frame-ancestors 'none'"),
    'may move its base': !policy.includes("base-uri 'none'"),
    'may load anything': !/default-src '(self|none)'/.test(policy),
    'runs inline scripts': scripts.includes("'unsafe-"), // 'wasm-unsafe-eval' compiles WebAssembly only
    'sends its URL to other sites': headers.get('referrer-policy') !== 'no-referrer',
  };
  const all = Object.entries(isPage({ headers }) ? { ...faults, ...faultsOfPage } : faults);
  return all.flatMap(([fault, found]) => (found ? [fault] : []));
}

describe('every route', () => {
  test('responds with nosniff and HSTS; a page has a content security policy that forbids framing', async () => {
    const routes = routesOf(server.app);
    const pages = new Set<string>();
    const key = { authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId };
    for (const route of routes) {
      for (const headers of [{}, key]) {
        const answer = await send(route, headers);
        await answer.arrayBuffer();
        expect(faultsOf(answer), `${route.method} ${route.path}`).toEqual([]);
        if (isPage(answer)) pages.add(route.path);
      }
    }
    expect(routes.length).toBeGreaterThan(100);
    expect([...pages].toSorted()).toEqual([
      '/',
      '/console',
      '/console/x',
      '/dashboard',
      '/dashboard/x',
      '/docs/x',
      '/driver/docs',
      '/driver/docs/',
      '/driver/x',
      '/t/x',
      '/t/x/logo',
      '/t/x/note',
      '/t/x/photos/x',
      '/t/x/report',
      '/t/x/state',
    ]);
  });
});

describe('requests without a route', () => {
  test.each(['/nothing', '/%zz', `/pdfs/${'x'.repeat(300)}`, '/t/a/b/c', `${BASE_PATH}/nothing`])(
    'an unknown path: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        expect(faultsOf(await send({ method, path })), method).toEqual([]);
      }
    },
  );

  test('bytes that are not HTTP', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('nothing that we know\r\n\r\n');
    const answer = (await text(socket)).toLowerCase();
    expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(answer).toContain(`\r\nstrict-transport-security: ${STRICT_TRANSPORT}\r\n`);
  });

  test.each(['?EIO=4&transport=polling', '?EIO=4&transport=none'])('the drivers’ socket: %s', async (query) => {
    expect(faultsOf(await send({ method: 'GET', path: `${DRIVER_SOCKET_PATH}/${query}` }))).toEqual([]);
  });
});

test('a page without a policy of its own cannot run scripts, load anything or be framed', async () => {
  const app = createHttpServer(server.config, createLog('silent'));
  app.get('/later', (_request, reply) => reply.type('text/html').send('<script>alert(1)</script>'));
  const { headers } = await app.inject('/later');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers['referrer-policy']).toBe('no-referrer');
  await app.close();
});

test('without https there is no HSTS header', async () => {
  const plain = await startTestServer();
  try {
    const { headers } = await fetch(`${plain.url}/healthz`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe(null);
  } finally {
    await plain.stop();
  }
});
