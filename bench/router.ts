import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { renderRouter } from '../server/src/cells/render-router.ts';
import { freePort } from '../server/test/free-port.ts';
import { quotes } from './load/merchant-requests.ts';
import { compare, processorSeconds, wrk } from './load/tools.ts';
import type { Stack } from './stack.ts';

export const CELL = 'P2';
const MOVED = 10_000; // tokens of moved accounts in the router's map

/** POST /rates through the router of cells, beside the same without it. */
export async function benchRouter(stack: Stack, seconds: number, rounds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'navette-bench-'));
  const port = await freePort();
  const cell = { tag: CELL, address: stack.url, isFirst: true, state: 'open', keysFingerprint: '' } as const;
  const moved = Array.from({ length: MOVED }, (_, n) => ({
    hash: n.toString(16).padStart(64, '0'),
    cell: CELL,
  }));
  const files = renderRouter([cell], moved, { directory: folder, bind: `127.0.0.1:${port}` });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const router = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  try {
    while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) await setTimeout(50);
    const script = quotes(stack.merchants);
    await wrk(url, script, 3); // warm up
    let [requests, took] = [0, 0];
    const ratio = await compare(
      'POST /rates (64 connections) through the router beside the same without it',
      { name: 'direct', run: () => wrk(stack.url, script, seconds) },
      {
        name: 'router',
        run: async () => {
          const before = processorSeconds(router.pid ?? 0);
          const result = await wrk(url, script, seconds);
          took += processorSeconds(router.pid ?? 0) - before;
          requests += result.perSecond * seconds;
          return result;
        },
      },
      rounds,
    );
    console.log(`  CPU of the router: ${((took / requests) * 1e6).toFixed(0)} µs a request`);
    return ratio;
  } finally {
    router.kill('SIGKILL');
    await once(router, 'exit');
    await rm(folder, { recursive: true });
  }
}
