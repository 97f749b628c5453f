import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handleErrors } from './error-handler.ts';
import { protectPages } from './response-headers.ts';
import { dashboardHeaders, driverAppHeaders, serveWebApp } from './web-app.ts';

let folder: string;
let app: FastifyInstance;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-web-app-'));
  app = Fastify();
  handleErrors(app);
  protectPages(app);
  const built = { folder: pathToFileURL(`${folder}/`), timeZone: 'Europe/Paris' };
  serveWebApp(app, { path: '/dashboard', ...built, headersFor: dashboardHeaders });
  serveWebApp(app, { path: '/driver', ...built, headersFor: driverAppHeaders, isInstallable: true });
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function build() {
  await mkdir(join(folder, 'assets'));
  const page =
    '<meta name="time-zone" content="__TIME_ZONE__"><script nonce="__CSP_NONCE__" src="/dashboard/assets/a-1.js"></script>';
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/a-1.js'), 'plain');
  await writeFile(join(folder, 'assets/a-1.js.br'), 'brotli');
  await writeFile(join(folder, 'assets/a-1.js.gz'), 'gzip');
  await writeFile(join(folder, 'service-worker.js'), 'worker');
}
const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

describe('the page', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/shipments/42', '/dashboard/anything.at/all'])(
    'is served at %s',
    async (url) => {
      await build();
      const { statusCode, headers, body } = await get(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toContain('content="Europe/Paris"');
    },
  );

  test('allows scripts of this host only, and style tags by a nonce that is new for each response', async () => {
    await build();
    const [first, second] = [await get('/dashboard'), await get('/dashboard')];
    const policy = String(first.headers['content-security-policy']);
    const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1];
    expect(nonce).toBeDefined();
    expect(first.body).toContain(`nonce="${nonce}"`);
    expect(second.body).not.toContain(nonce);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(first.headers['referrer-policy']).toBe('no-referrer');
  });

  test('of the driver app may use the camera and the position, and compile WebAssembly; no other page may', async () => {
    await build();
    const [driver, dashboard] = [(await get('/driver/')).headers, (await get('/dashboard')).headers];
    expect(driver['permissions-policy']).toContain('camera=(self), geolocation=(self)');
    expect(dashboard['permissions-policy']).toContain('camera=(), geolocation=()');
    const policy = String(driver['content-security-policy']);
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("worker-src 'self';");
    expect(policy).not.toMatch(/'unsafe-|nonce|https?:/);
  });

  test('of an installable app is at its folder, which is the scope of its service worker', async () => {
    await build();
    const { statusCode, headers } = await get('/driver');
    expect([statusCode, headers.location]).toEqual([308, '/driver/']);
  });

  test('explains how to build the app when it is not built, and is served once it is', async () => {
    const before = await get('/dashboard');
    expect(before.statusCode).toBe(503);
    expect(before.body).toContain('npm run build');
    await build();
    expect((await get('/dashboard')).statusCode).toBe(200);
  });
});

describe('a file', () => {
  test.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', undefined, 'plain'],
  ])(
    'for clients that accept %s is cached for good and sent in its compressed form',
    async (accepted, encoding, body) => {
      await build();
      const answer = await get('/dashboard/assets/a-1.js', { 'accept-encoding': accepted });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.body).toBe(body);
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'accept-encoding',
      });
    },
  );

  test('of the root, such as a service worker, is checked for a new version each time', async () => {
    await build();
    const { headers, body } = await get('/driver/service-worker.js');
    expect(body).toBe('worker');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/javascript; charset=utf-8' });
  });

  test.each([
    '/dashboard/assets/b.js',
    '/dashboard/assets/..%2Findex.html',
    '/dashboard/assets/a-1.js.br',
    '/dashboard/api/nothing',
  ])('that is missing in the build is a 404 and never the page: %s', async (url) => {
    await build();
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ success: false });
  });
});
