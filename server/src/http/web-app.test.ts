import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerFailures } from './failures.ts';
import { serveWebApp } from './web-app.ts';

let folder: string;
let app: FastifyInstance;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-web-app-'));
  app = Fastify();
  answerFailures(app);
  serveWebApp(app, { path: '/dashboard', folder: pathToFileURL(`${folder}/`), timeZone: 'Europe/Paris' });
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
}
const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

describe('the page', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/shipments/42', '/dashboard/anything.at/all'])(
    'is at %s',
    async (url) => {
      await build();
      const { statusCode, headers, body } = await get(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toContain('content="Europe/Paris"');
    },
  );

  test('lets in scripts of this host only, and style tags by a word that is new each time', async () => {
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
    expect(first.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
  });

  test('says how to build it when nobody has, and is there once somebody did', async () => {
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
  ])('for whoever accepts %s is kept for good, and comes as it was compressed', async (accepted, encoding, body) => {
    await build();
    const answer = await get('/dashboard/assets/a-1.js', { 'accept-encoding': accepted });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.body).toBe(body);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
  });

  test.each([
    '/dashboard/assets/b.js',
    '/dashboard/assets/..%2Findex.html',
    '/dashboard/assets/a-1.js.br',
    '/dashboard/api/nothing',
  ])('that the build does not have is a 404 and never the page: %s', async (url) => {
    await build();
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ success: false });
  });
});
