import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { creations, quotes, reads } from './load/merchant-requests.ts';
import { compare, processorSeconds, wrk } from './load/tools.ts';
import { type Stack, startStack } from './stack.ts';

export const MERCHANTS = 50;
const READ_BY_MERCHANT = 500;

/** Creations, reads and rates of this version beside those of another checkout, in turn, in one run. */
export async function benchVersus(checkout: string, seconds: number, rounds: number): Promise<number[]> {
  const module = pathToFileURL(resolve(checkout, 'bench/stack.ts')).href;
  const other = (await import(module)) as { startStack: typeof startStack };
  const base = await other.startStack(MERCHANTS);
  const own = await startStack(MERCHANTS);
  try {
    const ratios: number[] = [];
    for (const [title, scriptOf] of SCENARIOS) {
      const [baseScript, ownScript] = [await scriptOf(base), await scriptOf(own)];
      await wrk(base.url, baseScript, 3); // warm up
      await wrk(own.url, ownScript, 3);
      const [before, now] = [createMeter(base), createMeter(own)];
      ratios.push(
        await compare(
          `${title}, beside ${checkout}`,
          { name: 'before', run: () => before.run(baseScript, seconds) },
          { name: 'now', run: () => now.run(ownScript, seconds) },
          rounds,
        ),
      );
      console.log(
        `  processor time of the server, per request: before ${before.perRequest()}, now ${now.perRequest()}`,
      );
    }
    return ratios;
  } finally {
    await Promise.all([base.stop(), own.stop()]);
  }
}

/** CPU time of the server per request: unlike requests per second, it hardly depends on other programs. */
function createMeter({ url, pid }: Stack) {
  let requests = 0;
  let spent = 0;
  return {
    async run(script: string, seconds: number) {
      const before = processorSeconds(pid);
      const result = await wrk(url, script, seconds);
      spent += processorSeconds(pid) - before;
      requests += result.perSecond * seconds;
      return result;
    },
    perRequest: () => `${((spent / requests) * 1e6).toFixed(1)} µs`,
  };
}

export const SCENARIOS: [title: string, scriptOf: (stack: Stack) => Promise<string> | string][] = [
  ['POST /shipping (64 connections)', ({ merchants }) => creations(merchants)],
  [
    'GET /shipping/:id (64 connections)',
    async (stack) => {
      const ids: string[][] = [];
      for (const { id } of stack.merchants) {
        const { rows } = await stack.sql('select id from shipments where account_id = $1 order by number limit $2', [
          id,
          READ_BY_MERCHANT,
        ]);
        ids.push(rows.map((row) => row.id));
      }
      return reads(stack.merchants, ids);
    },
  ],
  ['POST /rates (64 connections)', ({ merchants }) => quotes(merchants)],
];
