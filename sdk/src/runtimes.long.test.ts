import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../../e2e/browser.ts';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { type FaultProxy, seededFaults, startFaultProxy } from '../test/fault-proxy.ts';
import { Navette } from './index.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');
const runtimes = join(sdk, 'test/runtimes');
const tools = join(sdk, '../node_modules/.cache/navette-sdk-runtimes'); // some 1.4 GB, installed once
const tool = (...path: string[]) => join(tools, 'node_modules', ...path);
/** A merchant's project, into which the packed package is installed from a registry. */
const shop = mkdtempSync(join(tmpdir(), 'navette-shop-'));
const inShop = (...path: string[]) => join(shop, ...path);

let server: TestServer;
let proxy: FaultProxy;
let tarball: string;

beforeAll(async () => {
  mkdirSync(tools, { recursive: true });
  copyFileSync(join(runtimes, 'package.json'), join(tools, 'package.json'));
  await run('npm', ['install', '--no-fund', '--no-audit', '--no-package-lock'], { cwd: tools });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', shop], { cwd: sdk });
  tarball = inShop(JSON.parse(stdout.slice(stdout.indexOf('[')))[0].filename);
  cpSync(runtimes, shop, { recursive: true });
  writeFileSync(inShop('package.json'), '{"private": true, "type": "module"}');
  await installFromRegistry();
  const port = String(await freePort());
  proxy = await startFaultProxy(`http://127.0.0.1:${port}`, seededFaults(16, 0.3));
  server = await startTestServer({ PORT: port, PUBLIC_URL: proxy.url, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await proxy?.stop();
  await server?.stop();
  rmSync(shop, { recursive: true });
});

/** Publishes the package to a registry on loopback that asks no other one, and installs it from there. */
async function installFromRegistry(): Promise<void> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const anyone = { access: '$all', publish: '$all' };
  const settings = {
    storage: inShop('registry'),
    listen: address,
    uplinks: {},
    packages: { '**': anyone },
    log: { type: 'stdout', level: 'error' },
  };
  writeFileSync(inShop('registry.json'), JSON.stringify(settings)); // JSON is YAML
  writeFileSync(inShop('.npmrc'), `registry=http://${address}/\n//${address}/:_authToken=anyone\n`);
  const registry = spawn(process.execPath, [tool('verdaccio/bin/verdaccio'), '--config', inShop('registry.json')]);
  const ended = new Promise((resolve) => registry.once('exit', resolve));
  try {
    await eventually(async () => expect((await fetch(`http://${address}/-/ping`)).status).toBe(200));
    await run('npm', ['publish', tarball], { cwd: shop });
    await run('npm', ['install', '--no-fund', '--no-audit', '@navette/sdk'], { cwd: shop });
  } finally {
    registry.kill();
    await ended;
  }
  const { packages } = JSON.parse(readFileSync(inShop('package-lock.json'), 'utf8'));
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  expect(packages['node_modules/@navette/sdk'].integrity).toBe(`sha512-${digest}`);
}

interface Settings {
  url: string;
  apiKey: string;
  clientId: string;
}
type Runtime = (settings: Settings) => Promise<unknown>;

const commandLine =
  (program: string, ...args: string[]): Runtime =>
  async (settings) => {
    const { stdout } = await run(program, [...args, 'command-line.js', JSON.stringify(settings)], { cwd: shop });
    return JSON.parse(stdout);
  };

/** The scenario and the installed package as one file, for runtimes that have no node_modules. */
async function bundle(entry: string): Promise<string> {
  const output = await build({
    root: shop,
    logLevel: 'error',
    configFile: false,
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: inShop(entry), formats: ['es'], fileName: 'b' },
    },
  });
  const { code } = ([output].flat() as Rolldown.RolldownOutput[])[0]?.output[0] ?? { code: '' };
  return code;
}

async function inWorkerd(settings: Settings): Promise<unknown> {
  const port = await freePort();
  writeFileSync(inShop('bundle.js'), await bundle('worker.js'));
  writeFileSync(
    inShop('workerd.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["local", "private"]))],
       sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
     );
     const main :Workerd.Worker = (
       modules = [(name = "worker", esModule = embed "bundle.js")], compatibilityDate = "2026-10-01",
     );`,
  );
  const workerd = spawn(tool('@cloudflare/workerd-linux-64/bin/workerd'), ['serve', inShop('workerd.capnp')], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => workerd.once('exit', resolve));
  onTestFinished(async () => {
    workerd.kill();
    await ended;
  });
  const body = JSON.stringify(settings);
  const response = await eventually(() => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

async function inChromium(settings: Settings): Promise<unknown> {
  const code = await bundle('scenario.js');
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  // A page of the API's origin: the API allows no other one, because a key belongs on a server.
  await page.route(`${settings.url}/shop*`, (route) => {
    const isScript = route.request().url().endsWith('.js');
    return route.fulfill({
      contentType: isScript ? 'text/javascript' : 'text/html',
      body: isScript ? code : '<!doctype html>',
    });
  });
  await page.goto(`${settings.url}/shop`);
  return page.evaluate(`import('/shop.js').then(({ runScenario }) => runScenario(${JSON.stringify(settings)}))`);
}

describe('the package, installed from a registry', () => {
  test.each<[string, Runtime]>([
    ['Node.js 20', commandLine(tool('node20/bin/node'))],
    ['Node.js 22', commandLine(tool('node22/bin/node'))],
    ['Node.js 24', commandLine(tool('node24/bin/node'))],
    ['Node.js 26', commandLine(tool('node26/bin/node'))],
    ['Deno', commandLine(tool('@deno/linux-x64-glibc/deno'), 'run', '--no-remote', '--allow-net=127.0.0.1')],
    ['Bun', commandLine(tool('@oven/bun-linux-x64/bin/bun'), 'run')],
    ['workerd', inWorkerd],
    ['Chromium', inChromium],
  ])('passes the scenario in %s, over a connection that loses requests and responses', async (_name, runIn) => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const here = new Navette({ url: proxy.url, apiKey: 'unused', clientId: 'nvc_fixed' });
    const key = await here.idempotencyKeyFor({ orderId: 'é/#1', parcel: 2 });
    const before = proxy.seen.length;
    const result = await runIn({ url: proxy.url, apiKey: account.key, clientId: account.clientId });
    expect(result).toEqual({ price: 8.5, shipments: 10, key });
    expect(proxy.seen.slice(before).filter(({ fault }) => fault !== null).length).toBeGreaterThan(3);
    const { rows } = await server.pools.main.query(
      `select (select count(*)::int from shipments where account_id = $1) as shipments,
              (select count(*)::int from ledger_entries where account_id = $1 and amount_cents < 0) as charges`,
      [account.id],
    );
    expect(rows).toEqual([{ shipments: 10, charges: 10 }]);
  });

  test.each(['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'])('compiles in TypeScript %s', async (version) => {
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const files = ['--module', module, '--moduleResolution', resolution, 'consumer.ts'];
      const compiled = run(process.execPath, [tool(`typescript${version}`, 'bin/tsc'), ...options, ...files], {
        cwd: shop,
      });
      await expect(compiled.catch(({ stdout }) => ({ stdout }))).resolves.toMatchObject({ stdout: '' });
    }
  });

  test('is without a fault for publint and Are the types wrong', async () => {
    const lint = await run(process.execPath, [tool('publint/src/cli.js'), tarball, '--strict'], { cwd: shop });
    expect(lint.stdout).toContain('All good!');
    // ES modules only: `require` of an ES module works from Node.js 20.19 on.
    const wrong = [tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only'];
    await run(process.execPath, wrong, { cwd: shop }); // rejects when it finds a problem
  });
});
