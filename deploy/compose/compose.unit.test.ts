import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, VARIABLES } from '../../server/src/config.ts';

interface Service {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  mem_limit?: string;
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string; ip_range: string }[] } }>;
}

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8');
const required = [...new Set([...text.matchAll(/\$\{(\w+):\?[^}]+\}/g)].map(([, name = '']) => name))];
const folder = mkdtempSync(join(tmpdir(), 'navette-compose-'));
let first: Record<string, string>;
let compose: Compose;
let services: [string, Service][];

beforeAll(() => {
  first = makeEnv('a');
  const filled = text.replaceAll(/\$\{(\w+):\?[^}]+\}/g, (_, name: string) => first[name] ?? '');
  compose = parse(filled, { merge: true }) as Compose;
  services = Object.entries(compose.services);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs make-env.sh in a checkout that has the files it reads, and returns its result. */
function makeEnv(name: string): Record<string, string> {
  const checkout = join(folder, name);
  mkdirSync(join(checkout, 'deploy'), { recursive: true });
  mkdirSync(join(checkout, 'server'));
  cpSync(import.meta.dirname, join(checkout, 'deploy/compose'), { recursive: true });
  for (const written of ['.env', 'settings.env']) rmSync(join(checkout, 'deploy/compose', written), { force: true });
  cpSync(join(ROOT, 'server/package.json'), join(checkout, 'server/package.json'));
  const script = join(checkout, 'deploy/compose/make-env.sh');
  expect(spawnSync(script, ['navette.example.org']).status).toBe(0);
  const again = spawnSync(script, ['navette.example.org'], { encoding: 'utf8' });
  expect({ status: again.status, stderr: again.stderr }).toEqual({
    status: 1,
    stderr: '.env exists: its secrets are in use\n',
  });
  expect(statSync(join(checkout, 'deploy/compose/.env')).mode & 0o777).toBe(0o600);
  return parseEnv(readFileSync(join(checkout, 'deploy/compose/.env'), 'utf8')) as Record<string, string>;
}

describe('secrets', () => {
  test('nothing starts without them: no variable has a default, and make-env.sh writes all', () => {
    expect([...text.matchAll(/\$\{?\w+/g)]).toHaveLength([...text.matchAll(/\$\{\w+:\?run make-env\.sh\}/g)].length);
    expect(Object.keys(first).sort()).toEqual(['COMPOSE_PROJECT_NAME', ...required].sort());
  });

  test('each is 32 random bytes of its own', () => {
    const secrets = [first, makeEnv('b')].flatMap((env) =>
      Object.entries(env).filter(([name]) => /SECRET|PASSWORD|KEYS/.test(name)),
    );
    expect(secrets).toHaveLength(10);
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(10);
    for (const [, value] of secrets) expect(value).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('api, worker and migrate have settings that the service accepts, and none that it does not read', () => {
  for (const role of ['api', 'worker', 'migrate']) {
    const environment = compose.services[role]?.environment ?? {};
    const config = readConfig({ ...environment, HOST: '0.0.0.0' });
    expect(config).toMatchObject({ publicUrl: 'https://navette.example.org', operator: { host: '0.0.0.0' } });
    expect(Object.keys(environment).filter((name) => !(name in VARIABLES))).toEqual(['PGUSER', 'PGPASSWORD']);
  }
});

test('clients’ addresses are taken from the proxy only', () => {
  const { proxy, api } = compose.services;
  expect(proxy?.networks).toEqual({ edge: { ipv4_address: api?.environment?.TRUSTED_PROXIES } });
  expect(proxy?.environment?.NAVETTE_UPSTREAM).toBe('api:3000');
});

test('no container that starts before the proxy can get its address', () => {
  const [{ subnet, ip_range } = { subnet: '', ip_range: '' }] = compose.networks.edge?.ipam?.config ?? [];
  const inside = (range: string, address: string) => {
    const [network = '', bits] = range.split('/');
    const list = new BlockList();
    list.addSubnet(network, Number(bits));
    return list.check(address);
  };
  const address = compose.services.api?.environment?.TRUSTED_PROXIES ?? '';
  expect([inside(subnet, address), inside(ip_range, address)]).toEqual([true, false]);
});

test('the proxy alone publishes ports, and the stores reach no other network', () => {
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
  expect(compose.networks.stores).toEqual({ internal: true });
  for (const name of ['postgres', 'redis', 'backup']) expect(compose.services[name]?.networks).toEqual(['stores']);
});

test('every service has a pinned image, a memory limit and existing mounts, networks and dependencies', () => {
  for (const [name, service] of services) {
    expect(service.image, name).toMatch(/^[\w./-]+:\d[\w.-]*$/);
    expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      expect(
        source.startsWith('.') ? existsSync(join(import.meta.dirname, source)) : source in compose.volumes,
        volume,
      ).toBe(true);
    }
    const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});
    for (const network of networks) expect(compose.networks).toHaveProperty(network);
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(other);
  }
});

test('every service that keeps running has a health check and starts again; Navette’s own is in its image', () => {
  const running = services.filter(([name]) => name !== 'migrate');
  for (const [name, service] of running) {
    expect(service.restart, name).toBe('unless-stopped');
    const own = service.image.includes('navette');
    expect(
      own ? readFileSync(join(ROOT, 'deploy/image/Containerfile'), 'utf8') : service.healthcheck?.test?.[0],
      name,
    ).toMatch(own ? /^HEALTHCHECK /m : /^CMD/);
  }
});
