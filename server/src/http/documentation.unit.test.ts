import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveDocumentation } from './documentation.ts';
import { handleErrors } from './error-handler.ts';
import { protectPages } from './response-headers.ts';

let folder: string;
let app: FastifyInstance;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-site-'));
  app = Fastify();
  handleErrors(app);
  protectPages(app);
  serveDocumentation(app, { publicUrl: 'https://navette.example', folder: pathToFileURL(`${folder}/`) });
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function build() {
  const files = {
    'en/index.html': '<h1>Home</h1>',
    'en/404.html': '<h1>No such page</h1>',
    'fr/404.html': '<h1>Page introuvable</h1>',
    'en/quick-start.html': '<code>url=https://api.example.org</code>',
    'en/api/rates.html': '<h1>Rates</h1>',
    'driver.html': '<h1>Drivers</h1>',
    'assets/main-1.js': 'script',
    'files/Navette.php': '<?php',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

describe('a page', () => {
  test.each([
    ['/docs/en', 'Home'],
    ['/docs/en/', 'Home'],
    ['/docs/en/api/rates', 'Rates'],
    ['/driver/docs', 'Drivers'],
    ['/driver/docs/', 'Drivers'],
  ])('is served at %s', async (url, title) => {
    await build();
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(title);
  });

  test('shows the address of this installation, also compressed', async () => {
    await build();
    expect((await get('/docs/en/quick-start')).body).toBe('<code>url=https://navette.example</code>');
    const packed = await get('/docs/en/quick-start', { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toContain('https://navette.example');
  });

  test('runs and loads files of this host only, without any inline script or style', async () => {
    await build();
    const policy = String((await get('/docs/en/')).headers['content-security-policy']);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    );
    expect(policy).not.toMatch(/unsafe|nonce|data:|blob:|\*|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test.each([
    ['fr-FR,fr', '/docs/fr/'],
    ['en-GB,en;q=0.9', '/docs/en/'],
  ])('of the site is found from /docs in the reader’s language: %s', async (language, location) => {
    for (const url of ['/docs', '/docs/']) {
      const { statusCode, headers } = await get(url, { 'accept-language': language });
      expect([statusCode, headers.location, headers.vary]).toEqual([302, location, 'accept-language']);
    }
  });

  test.each([
    ['/docs/fr/nothing', 'Page introuvable'],
    ['/docs/nothing', 'No such page'],
    ['/docs/en/..%2F..%2Fpackage', 'No such page'],
  ])('that does not exist is a 404 with a page: %s', async (url, title) => {
    await build();
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).toContain(title);
  });

  test('explains how to build the site when it is not built, and is served once it is', async () => {
    const before = await get('/docs/en/');
    expect(before.statusCode).toBe(503);
    expect(before.body).toContain('npm run build');
    await build();
    expect((await get('/docs/en/')).statusCode).toBe(200);
  });
});

describe('a file', () => {
  test.each([
    ['/docs/assets/main-1.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/docs/files/Navette.php', 'text/plain; charset=utf-8', 'public, max-age=86400'],
  ])('%s is served with its type and cached', async (url, type, cache) => {
    await build();
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, type, cache]);
  });

  test.each(['/docs/assets/main-2.js', '/docs/assets/..%2Fdriver.html', '/docs/files/other.php'])(
    'that the build does not have is a 404: %s',
    async (url) => {
      await build();
      const { statusCode, body } = await get(url);
      expect(statusCode).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ success: false });
    },
  );
});
