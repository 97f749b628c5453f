/**
 * `npm run test:image`: runs the built image as an installation does (read-only, uid 10001, no capabilities) against a
 * PostgreSQL and a Redis of its own, delivers a shipment, stops it, and prints size and times. Needs podman; on a machine
 * where podman needs options of its own, CONTAINERS_CONF names the file with them.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SECRET_VARIABLES } from '../../server/src/config.ts';
import { dashboardCaller } from '../../server/test/dashboard.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startPrivatePostgres } from '../../server/test/private-postgres.ts';
import { startPrivateRedis } from '../../server/test/private-redis.ts';

const MOST_BYTES = 250e6;
const READY_WITHIN_MS = 60_000;
const { version } = JSON.parse(readFileSync('server/package.json', 'utf8')) as { version: string };
const [image = `localhost/navette:${version}`] = process.argv.slice(2);
const container = `navette-test-${process.pid}`;
const exec = promisify(execFile);
const podman = async (...args: string[]) => (await exec('podman', args)).stdout.trim();
const inContainer = (code: string) => podman('exec', container, 'node', '-p', code);

const bytes = Number(await podman('image', 'inspect', '--format', '{{.Size}}', image));
assert(bytes <= MOST_BYTES, `the image has ${bytes} bytes, more than ${MOST_BYTES}`);
report('size', `${(bytes / 1e6).toFixed(0)} MB`);

const [postgres, redis, port, operatorPort] = await Promise.all([
  startPrivatePostgres(),
  startPrivateRedis(),
  freePort(),
  freePort(),
]);
try {
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, randomBytes(32).toString('hex')])),
    ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, PORT: String(port), OPERATOR_PORT: String(operatorPort) },
    PUBLIC_URL: url,
  };
  const restricted = [
    '--network=host',
    '--read-only',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    '--memory=512m',
  ];
  const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
  const flags = [...restricted, ...environment];

  await timed('migrate', () => podman('run', '--rm', ...flags, image, 'migrate'));
  await podman('create', `--name=${container}`, ...flags, image);
  await timed('start until ready', async () => {
    await podman('start', container);
    await waitUntilReady(url);
  });
  await checkConfinement();
  await checkBuild(operatorPort);
  await checkPages(url);
  await timed('a delivered shipment', async () => deliverShipment(url));
  await checkSignUp(url);
  await podman('healthcheck', 'run', container);
  report(
    'memory',
    `${await inContainer('Math.round(Number(/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync("/proc/1/status"))[1]) / 1024)')} MB at most`,
  );
  await timed('SIGTERM until exit', () => podman('stop', '--time=30', container));
  assert.equal(await podman('inspect', '--format', '{{.State.ExitCode}}', container), '0');
} finally {
  await podman('rm', '--force', '--volumes', container).catch(() => {});
  await Promise.all([postgres.remove(), redis.stop()]);
}

async function waitUntilReady(url: string): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    assert(Date.now() < end, `not ready within ${READY_WITHIN_MS} ms: ${await podman('logs', container)}`);
    await setTimeout(50);
  }
}

async function checkConfinement(): Promise<void> {
  assert.equal(
    await inContainer('process.pid === 1 || fs.readFileSync("/proc/1/status", "utf8").match(/^Uid:.*/m)[0]'),
    'Uid:\t10001\t10001\t10001\t10001',
  );
  assert.match(await inContainer('fs.readFileSync("/proc/1/status", "utf8")'), /^CapEff:\t0+$[\s\S]*^NoNewPrivs:\t1$/m);
  await assert.rejects(inContainer('fs.writeFileSync("/opt/navette/x", "")'), /EROFS/);
  await assert.rejects(podman('exec', container, 'sh', '-c', 'true'), /not found/);
}

async function checkBuild(operatorPort: number): Promise<void> {
  const build = (await (await fetch(`http://127.0.0.1:${operatorPort}/healthz`)).json()) as Record<string, string>;
  assert.equal(build.version, version);
  assert.match(`${build.commit} ${build.builtAt}`, /^[0-9a-f]{40}(-changed)? \d{4}-.*Z$/);
  assert.equal(
    await podman('exec', container, 'navette', '--version'),
    `${version} (commit ${build.commit}, built ${build.builtAt})`,
  );
  await checkSbom();
}

async function checkSbom(): Promise<void> {
  const { components } = JSON.parse(await inContainer('fs.readFileSync("sbom.cdx.json", "utf8")')) as {
    components: { name: string; version: string }[];
  };
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const installed = await inContainer(
    `JSON.stringify(fs.globSync("{.,server}/node_modules/{*,@*/*}/package.json").map((file) => JSON.parse(fs.readFileSync(file))).map(({ name, version }) => name + "@" + version))`,
  );
  const missing = (JSON.parse(installed) as string[]).filter(
    (name) => !listed.has(name) && !name.startsWith('@navette/'),
  );
  assert.deepEqual(missing, []);
  report('components in the SBOM', String(components.length));
}

/** Pages whose files a wrong list in assemble.ts would remove. */
async function checkPages(url: string): Promise<void> {
  for (const path of ['/', '/docs/en/quick-start', '/driver/docs', '/dashboard', '/t/unknown'])
    assert.match((await fetch(`${url}${path}`)).headers.get('content-type') ?? '', /^text\/html/, path);
  assert.match(await (await fetch(`${url}/dashboard`)).text(), /assets\/.*\.js/);
  assert.match(await (await fetch(`${url}/docs/en/quick-start`)).text(), /<h1>Quick start<\/h1>/);
}

function deliverShipment(url: string): void {
  const script = join(import.meta.dirname, '../first-delivery.sh');
  const { status, stdout, stderr } = spawnSync(script, [url, 'podman', 'exec', '-i', container, 'navette'], {
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  assert.equal(status, 0, stderr);
}

/** Loads the native module that hashes passwords. */
async function checkSignUp(url: string): Promise<void> {
  const input = JSON.stringify({ name: 'Atelier Zoé', email: 'zoe@example.org' });
  const create = `echo '${input}' | podman exec -i ${container} navette account create --json --input -`;
  const { id } = JSON.parse((await exec('bash', ['-c', create])).stdout) as { id: string };
  const invited = await podman('exec', container, 'navette', 'account', 'invite', id, 'zoe@example.org', '--json');
  const token = new URL((JSON.parse(invited) as { link: string }).link).hash.slice(1);
  const body = { token, name: 'Zoé Martin', password: 'cheval correct agrafe', language: 'fr' };
  const { status } = await dashboardCaller(url)('acceptInvitation', { body, headers: { origin: url } });
  assert.equal(status, 201);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  report(what, `${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function report(what: string, value: string): void {
  console.log(`${what.padEnd(24)}${value}`);
}
