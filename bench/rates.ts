import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { quotes } from './load/merchant-requests.ts';
import { compare, wrk } from './load/tools.ts';
import type { Stack } from './stack.ts';

/** POST /rates, with authentication and limit, beside a Fastify route that parses the same body and answers the same. */
export async function benchRates(stack: Stack, seconds: number, rounds: number): Promise<number> {
  const bare = await startBareFastify();
  const script = quotes(stack.merchants);
  try {
    await Promise.all([wrk(stack.url, script, 3), wrk(bare.url, script, 3)]); // warm up
    return await compare(
      'POST /rates (64 connections) beside a bare Fastify route',
      { name: 'bare Fastify', run: () => wrk(bare.url, script, seconds) },
      { name: 'API', run: () => wrk(stack.url, script, seconds) },
      rounds,
    );
  } finally {
    bare.process.kill();
    await once(bare.process, 'exit');
  }
}

async function startBareFastify(): Promise<{ process: ChildProcess; url: string }> {
  const file = fileURLToPath(new URL('./load/bare-fastify.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { process: child, url };
}
