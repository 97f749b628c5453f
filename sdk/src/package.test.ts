import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { Navette } from './index.ts';
import { signTestWebhook } from './testing.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');
const modules = join(sdk, '../node_modules');
const SECRETS = 'an-older-secret,navette_whsec_of_the_readme';
const [, SECRET = ''] = SECRETS.split(',');

/** A merchant's project in which the built package is installed; it has the README's snippets as files. */
const shop = mkdtempSync(join(tmpdir(), 'navette-shop-'));
const inShop = (...path: string[]) => join(shop, ...path);
let server: TestServer;
let account: TestAccount;
let environment: Record<string, string>;

const readme = readFileSync(join(sdk, 'README.md'), 'utf8');
const snippets = [...readme.matchAll(/^```(?:ts|php)\n(?:<\?php )?\/\/ (\S+)\n.*?^```/gms)].map(
  ([block, name = '']) => ({
    name,
    text: block.replace(/^```.*\n/, '').replace(/```$/, ''),
  }),
);

beforeAll(async () => {
  const port = String(await freePort());
  server = await startTestServer({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error' });
  account = await server.createAccount({ paymentMode: 'deferred' });
  environment = {
    PATH: process.env.PATH ?? '',
    NAVETTE_URL: server.url,
    NAVETTE_API_KEY: account.key,
    NAVETTE_CLIENT_ID: account.clientId,
    NAVETTE_WEBHOOK_SECRETS: SECRETS,
    DATABASE_URL: server.config.databaseUrl,
  };
  const installed = inShop('node_modules/@navette/sdk');
  await tsc(['-p', join(sdk, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  copyFileSync(join(sdk, 'package.json'), join(installed, 'package.json'));
  for (const name of ['fastify', 'pg', '@types/node', '@types/pg']) {
    mkdirSync(dirname(inShop('node_modules', name)), { recursive: true });
    symlinkSync(join(modules, name), inShop('node_modules', name));
  }
  install(
    'express',
    readFileSync(join(sdk, 'test/express-stand-in.js'), 'utf8'),
    'declare const express: any; export default express;',
  );
  install(
    'next',
    'export const after = (work) => setTimeout(work, 0);',
    'export declare function after(work: () => Promise<void>): void;',
    './server',
  );
  copyFileSync(join(sdk, 'php/Navette.php'), inShop('Navette.php'));
  writeFileSync(inShop('package.json'), '{"type": "module"}');
  for (const { name, text } of snippets) writeFileSync(inShop(name), text);
});
afterAll(async () => {
  await server.stop();
  rmSync(shop, { recursive: true });
});

const tsc = (args: string[]) =>
  run(process.execPath, [join(modules, 'typescript7/bin/tsc'), ...args], { cwd: shop }).catch((error) => {
    throw new Error(error.stdout);
  });

function install(name: string, code: string, types: string, entry = '.'): void {
  mkdirSync(inShop('node_modules', name));
  const exports = { [entry]: { types: './index.d.ts', default: './index.js' } };
  writeFileSync(inShop('node_modules', name, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
  writeFileSync(inShop('node_modules', name, 'index.js'), code);
  writeFileSync(inShop('node_modules', name, 'index.d.ts'), types);
}

const node = async (...args: string[]) =>
  (await run(process.execPath, ['--no-warnings', ...args], { cwd: shop, env: environment })).stdout;

describe('the built package', () => {
  test.each([
    ['the whole SDK', 'index.js', 7_000],
    ['webhooks alone', 'webhooks.js', 2_000],
  ])('%s stays below its size', async (_name, entry, most) => {
    const output = await build({
      logLevel: 'error',
      configFile: false,
      build: {
        write: false,
        rolldownOptions: { output: { minify: true } }, // Vite itself keeps the white space of ES modules
        lib: { entry: inShop('node_modules/@navette/sdk/dist', entry), formats: ['es'], fileName: 'bundle' },
      },
    });
    const { code } = ([output].flat() as Rolldown.RolldownOutput[])[0]?.output[0] ?? { code: '' };
    expect(code).not.toBe('');
    expect(code).not.toMatch(/\bfrom ?["']/); // imports nothing
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most);
  });

  test('has its three entry points', async () => {
    const program = `
      const names = ['@navette/sdk', '@navette/sdk/webhooks', '@navette/sdk/testing'];
      const entries = await Promise.all(names.map((name) => import(name)));
      console.log(JSON.stringify(entries.map((entry) => Object.keys(entry))));`;
    const [main, webhooks, testing] = JSON.parse(await node('--input-type=module', '-e', program)) as string[][];
    expect(main).toContain('Navette');
    expect(webhooks).toContain('verifyWebhook');
    expect(main).toEqual(expect.arrayContaining(webhooks ?? []));
    expect(testing).toEqual(['signTestWebhook']);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('its types compile the README with %s modules and the types of Node.js only', async (module, moduleResolution) => {
    const options = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--lib',
      'es2022',
      '--allowImportingTsExtensions',
      '--types',
      'node',
    ];
    const files = snippets.map(({ name }) => name).filter((name) => name.endsWith('.ts'));
    const compiled = tsc([...options, '--module', module, '--moduleResolution', moduleResolution, ...files]);
    await expect(compiled).resolves.toMatchObject({ stdout: '' });
  });
});

describe('the README', () => {
  test('has no snippet without a name, and none that no test runs', () => {
    expect(readme.match(/^```(ts|php)$/gm)).toHaveLength(snippets.length);
    expect(snippets.map(({ name }) => name)).toEqual([
      ...[
        'navette.ts',
        'first-shipment.ts',
        'errors.ts',
        'many.ts',
        'list.ts',
        'webhooks.ts',
        'fastify.ts',
        'express.ts',
      ],
      ...['route.ts', 'store.ts', 'reconcile.ts', 'receiver.test.ts', 'order.php', 'webhook.php'],
    ]);
  });

  test('creates the first shipment once, in TypeScript and in PHP', async () => {
    expect(await node('first-shipment.ts')).toMatch(/^Atelier Zoé pays 8.5 EUR\n\w+ was created\nCréée\n$/);
    expect(await node('first-shipment.ts')).toMatch(/ existed already\n/);
    expect(readFileSync(inShop('label.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    rmSync(inShop('label.pdf'));
    const php = await run('php', ['order.php'], { cwd: shop, env: environment });
    expect(php.stdout).toMatch(/^\w+ existed already\n$/);
    expect(readFileSync(inShop('label.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('explains an error', async () => {
    expect(await node('errors.ts')).toMatch(/^not_found 404 Check the id and the account.\nfor support: \S+\n$/);
  });

  test('creates many once, lists them from a cursor, and exports them', async () => {
    expect(await node('many.ts')).toMatch(/^3 created\n\d+ bytes of labels\n$/);
    await node('many.ts');
    const lines = (await node('list.ts')).trim().split('\n');
    expect(lines.slice(0, 3).map((line) => line.split(' ')[1])).toEqual(['3003', '3002', '3001']);
    expect(lines.slice(3, 4)).toEqual(['2 of 4']);
    expect(lines).toHaveLength(3 + 1 + 4);
  });

  test('finds missed events once', async () => {
    const navette = new Navette({ url: server.url, apiKey: account.key, clientId: account.clientId });
    const [shipment] = (await navette.shipments.list({ limit: 1 }).pages().next()).value?.shipments ?? [];
    await navette.shipments.cancel(shipment?._id ?? '');
    expect(await node('reconcile.ts')).toContain('1 missed events were handled, 0 failed');
    expect(await node('reconcile.ts')).toContain('0 missed events were handled, 0 failed');
  });

  test('tests a receiver', async () => {
    expect(await node('--test', 'receiver.test.ts')).toContain('pass 1');
  });

  test('receives webhooks in Next.js', async () => {
    const program = `
      import { POST } from ${JSON.stringify(pathToFileURL(inShop('route.ts')).href)};
      import { signTestWebhook } from '@navette/sdk/testing';
      const { headers, body } = await signTestWebhook({ secret: '${SECRET}' });
      console.log((await POST(new Request('http://shop/navette', { method: 'POST', headers, body }))).status);`;
    expect(await node('--input-type=module', '-e', program)).toMatch(/^200\norder 2041 was delivered at /);
  });

  test.each<[string, (port: string) => [string, string[]]]>([
    ['Fastify', () => [process.execPath, ['--no-warnings', 'fastify.ts']]],
    ['Express', () => [process.execPath, ['--no-warnings', 'express.ts']]],
    ['PHP', (port) => ['php', ['-S', `127.0.0.1:${port}`, 'webhook.php']]],
  ])('receives webhooks with %s', async (_name, commandOf) => {
    const port = String(await freePort());
    const [command, args] = commandOf(port);
    const receiver = spawn(command, args, { cwd: shop, env: { ...environment, PORT: port } });
    const ended = new Promise((resolve) => receiver.once('exit', resolve));
    let output = '';
    for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', (part) => (output += part));
    try {
      const { headers, body } = await signTestWebhook({ secret: SECRET, data: { id: `${port}-of-a-shipment` } });
      const send = (sent: string) => fetch(`http://localhost:${port}/navette`, { method: 'POST', headers, body: sent });
      await eventually(async () => expect((await send(body)).status).toBe(200));
      expect((await send(body)).status).toBe(200);
      expect((await send(`${body} `)).status).toBe(401);
      await eventually(() => expect(output.match(/order 2041 was delivered/g)).toHaveLength(1));
    } finally {
      receiver.kill();
      await ended;
    }
  });
});
