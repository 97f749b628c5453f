import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BASE_PATH } from '@navette/contract';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createTestDriver } from '../server/test/driver-app.ts';
import { fillAccount } from './load/fill-account.ts';
import type { FloodKind, FloodOrder } from './load/flood.ts';
import { residentMb } from './load/tools.ts';
import type { Merchant, Stack } from './stack.ts';

const FLOOD = fileURLToPath(new URL('load/flood.ts', import.meta.url));
const KINDS: FloodKind[] = ['documents', 'hashing', 'sockets', 'metrics', 'label-exports'];
const LABELS = 1_000;
const LARGE_DOCUMENTS = 100;
const METADATA_BYTES = 16_000; // just below the limit of a shipment
const PAUSE_MS = 20; // between two requests of the other tenant
const MORE_MS = 250;
const MORE_MB = 400;

interface Measured {
  p99Ms: number;
  requests: number;
  failures: number;
  peakMb: number;
}

/** The latency of another tenant while one caller floods the service: each flood compared with none. */
export async function benchFloods(stack: Stack, seconds: number): Promise<boolean> {
  const [attacker, otherTenant] = stack.merchants as [Merchant, Merchant];
  const order = await prepare(stack, attacker, otherTenant);
  const read = await readsOf(stack, otherTenant);
  await watch(stack, read, 2); // connections are open and code is compiled
  console.log(`\nreads of another tenant, alone and under a flood, p99 of ${seconds} s each`);
  let holds = true;
  for (const kind of KINDS) {
    const quiet = await watch(stack, read, seconds);
    const flood = spawn(process.execPath, [FLOOD, JSON.stringify({ ...order, kind })], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await setTimeout(500);
    const flooded = await watch(stack, read, seconds);
    await end(flood);
    await setTimeout(1_000); // pending requests get their responses
    const moreMs = flooded.p99Ms - quiet.p99Ms;
    const moreMb = flooded.peakMb - quiet.peakMb;
    const good = moreMs <= MORE_MS && moreMb <= MORE_MB && flooded.failures === 0;
    holds &&= good;
    console.log(
      `  ${kind}: p99 ${quiet.p99Ms.toFixed(1)} → ${flooded.p99Ms.toFixed(1)} ms (${quiet.requests} → ${flooded.requests} requests), ` +
        `memory ${quiet.peakMb.toFixed()} → ${flooded.peakMb.toFixed()} MB, ${flooded.failures} failures${good ? '' : '  NOT HELD'}`,
    );
  }
  return holds;
}

async function prepare(stack: Stack, attacker: Merchant, otherTenant: Merchant): Promise<Omit<FloodOrder, 'kind'>> {
  await fillAccount(stack, attacker, LABELS);
  await fillAccount(stack, otherTenant, 100);
  const metadata = JSON.stringify({ text: 'x'.repeat(METADATA_BYTES) });
  await stack.sql('update shipments set metadata = $1 where account_id = $2 and number > $3', [
    metadata,
    attacker.id,
    LABELS - LARGE_DOCUMENTS,
  ]);
  const { rows } = await stack.sql('select id from shipments where account_id = $1', [attacker.id]);
  const engines = openEngines(readConfig({ ...process.env, ...stack.environment }), createLog('warn'));
  const { token } = await createTestDriver(engines.db);
  await engines.close();
  const { key, clientId } = attacker;
  return { url: stack.url, key, clientId, driverToken: token, shipmentIds: rows.map(({ id }) => id as string) };
}

/** A request as a tenant's shop makes them: its settings, a list, a shipment. */
async function readsOf(stack: Stack, { id, key, clientId }: Merchant): Promise<(n: number) => Promise<number>> {
  const { rows } = await stack.sql('select id from shipments where account_id = $1', [id]);
  const headers = { authorization: `Bearer ${key}`, 'x-client-id': clientId };
  const paths = ['/account', '/shipping?limit=10'];
  return async (n) => {
    const shipmentId = (rows[n % rows.length] as { id: string }).id;
    const path = paths[n % 3] ?? `/shipping/${shipmentId}`;
    const answer = await fetch(`${stack.url}${BASE_PATH}${path}`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
}

async function watch({ pid }: Stack, read: (n: number) => Promise<number>, seconds: number): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  let peakMb = 0;
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const began = performance.now();
    const status = await read(times.length).catch(() => 0);
    times.push(performance.now() - began);
    if (status !== 200) failures++;
    peakMb = Math.max(peakMb, residentMb(pid));
    await setTimeout(PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  return { p99Ms: times[Math.floor(times.length * 0.99)] ?? 0, requests: times.length, failures, peakMb };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
