import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuide } from '../../server/test/guide.ts';
import { useOwnFolders } from '../test/emulator-process.ts';

const run = promisify(execFile);
const emulator = join(import.meta.dirname, '..');
const root = join(emulator, '..');
/** Needs root, and a container that allows namespaces. */
const canBeOffline = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
const COMPILER = join(root, 'node_modules/typescript7/bin/tsc');
const { snippet } = readGuide('emulator/README.md');

/** A merchant's project in which the packed emulator is installed. */
const shop = mkdtempSync(join(tmpdir(), 'navette-shop-'));
const folders = useOwnFolders();
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

beforeAll(async () => {
  chmodSync(shop, 0o755);
  const options = { cwd: emulator, env: environment, maxBuffer: 1e8 };
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', shop], options);
  const [, file = ''] = /"filename": "([^"]+)"/.exec(stdout) ?? [];
  const installed = join(shop, 'node_modules/@navette/emulator');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(shop, file), '-C', installed, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, vitest: '', '@types/node': '' }))
    link(name);
  mkdirSync(join(shop, 'node_modules/.bin'));
  symlinkSync('../@navette/emulator/bin/navette-emulator.js', join(shop, 'node_modules/.bin/navette-emulator'));

  const sdk = join(shop, 'node_modules/@navette/sdk');
  await run(process.execPath, [COMPILER, '-p', join(root, 'sdk/tsconfig.build.json'), '--outDir', join(sdk, 'dist')]);
  writeFileSync(join(sdk, 'package.json'), readFileSync(join(root, 'sdk/package.json')));
  writeFileSync(join(shop, 'package.json'), '{"type": "module"}');
  writeFileSync(join(shop, 'seed.json'), snippet('json', '"until"'));
  writeFileSync(join(shop, 'first-shipment.sh'), `set -e\n${snippet('bash', '--background')}`);
  writeFileSync(join(shop, 'reset-and-stop.sh'), `set -e\n${snippet('bash', 'emulator stop')}`);
  writeFileSync(join(shop, 'delivery.test.ts'), snippet('ts', 'delivery.test.ts'));
  writeFileSync(join(shop, 'receiver.mjs'), RECEIVER);
});
afterAll(async () => {
  rmSync(shop, { recursive: true, force: true });
  await folders.remove();
});

/** Packages that the package does not list are missing in the shop, as after an installation. */
function link(name: string): void {
  const found = [emulator, root].map((folder) => join(folder, 'node_modules', name)).find((path) => existsSync(path));
  if (!found) return; // PostgreSQL for other systems
  mkdirSync(dirname(join(shop, 'node_modules', name)), { recursive: true });
  symlinkSync(found, join(shop, 'node_modules', name));
}

/** Prints the event of each request, once its signature is verified. */
const RECEIVER = `
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@navette/sdk/webhooks';
createServer(async (message, response) => {
  const body = await text(message);
  const request = new Request('http://shop/navette', { method: 'POST', headers: message.headers, body });
  const event = await verifyWebhook(request, { secrets: ['navette_whsec_emulator'] });
  console.log('received', event.event);
  response.end();
}).listen(4000, '127.0.0.1');`;

/** Runs a script of bash in the shop, without any network but loopback. */
async function offline(script: string): Promise<string> {
  const { stdout } = await run('unshare', ['--net', 'bash', '-c', `ip link set lo up\n${script}`], {
    cwd: shop,
    env: environment,
  }).catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

describe.runIf(canBeOffline)('the installed package, without network', () => {
  test('brings the README’s first shipment to delivered, and webhooks arrive', async () => {
    const output = await offline(`
      node -e "net.connect(9, '192.0.2.1').on('error', ({ code }) => console.log(code))"
      node receiver.mjs > received.txt & receiver=$!
      bash first-shipment.sh
      until grep -q delivered received.txt; do sleep 0.1; done
      cat received.txt
      kill $receiver
      bash reset-and-stop.sh`);
    expect(output).toContain('ENETUNREACH');
    expect(output).toContain('"status":"delivered"');
    for (const event of ['created', 'assigned', 'picked_up', 'delivered']) {
      expect(output).toContain(`received shipping.${event}`);
    }
    expect(output).toContain('"to": "+33612345678"');
    expect(output).toMatch(/^reset in \d+ ms$/m);
  });

  test('runs the README’s test suite, which its types compile', async () => {
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    await run(process.execPath, [COMPILER, ...options, 'delivery.test.ts'], { cwd: shop }).catch((error) => {
      throw new Error(error.stdout);
    });
    const output = await offline(
      'node node_modules/vitest/vitest.mjs run --root . --hookTimeout=600000 --testTimeout=600000 2>&1',
    );
    expect(output).toMatch(/2 passed/);
  });

  test('creates what a seed file lists, and again after a reset', async () => {
    const count = `curl -s -H "Authorization: Bearer $key" -H "X-Client-Id: nvc_test_emulator" \
      "http://127.0.0.1:4010/pro/api/v1/shipping?status=in_transit" | grep -o '"total":[0-9]*'`;
    const output = await offline(`set -e
      key=$(npx navette-emulator --background --json --seed seed.json | grep -o 'navette_test_[a-z0-9]*')
      ${count}; npx navette-emulator reset; ${count}; npx navette-emulator stop`);
    expect(output).toMatch(/^"total":1\nreset in \d+ ms\n"total":1\n$/);
  });

  test('runs for an ordinary user with a read-only home, on a port of its own', async () => {
    const user = 'setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent XDG_CACHE_HOME= TMPDIR=/tmp';
    const output = await offline(`set -e
      ${user} node node_modules/@navette/emulator/bin/navette-emulator.js --background --port 4700 --json
      npx navette-emulator reset --port 4700; npx navette-emulator stop --port 4700`);
    expect(output).toContain('"url":"http://127.0.0.1:4700"');
    expect(output).toContain('reset in');
  });
});
