import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { DOCUMENT_JSON } from '../server/src/features/shipments/document-json.ts';
import type { LoadResult } from './load/tools.ts';
import { compare, residentMb } from './load/tools.ts';
import type { Merchant, Stack } from './stack.ts';

/** GET /shipping/labels of a large account beside psql's COPY of the same JSON, and its memory use. */
export async function benchExport(
  stack: Stack,
  merchant: Merchant,
  rounds: number,
): Promise<{ ratio: number; memoryMb: number }> {
  const { rows } = await stack.sql('select last_shipment::int as count from account_counters where account_id = $1', [
    merchant.id,
  ]);
  const count: number = rows[0].count;
  const copy = `\\copy (select ${DOCUMENT_JSON} from shipments s where s.account_id = '${merchant.id}' order by s.number desc) to stdout`;
  const before = residentMb(stack.pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(stack.pid));
  }, 20);
  const ratio = await compare(
    `GET /shipping/labels of ${count} shipments beside psql's COPY of the same JSON`,
    {
      name: 'psql',
      run: () => timed(count, () => toNowhere('psql', ['-qAt', '-c', copy.replaceAll('\n', ' '), stack.databaseUrl])),
    },
    { name: 'API', run: () => timed(count, () => toNowhere('curl', curlArguments(stack, merchant))) },
    rounds,
  );
  clearInterval(watch);
  const memoryMb = peak - before;
  console.log(
    `  memory of the server: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${memoryMb.toFixed(0)} MB more`,
  );
  await checkAnswer(stack, merchant, count);
  return { ratio, memoryMb };
}

const curlArguments = (stack: Stack, { key, clientId }: Merchant) => [
  '-sS',
  '--fail',
  '-H',
  `Authorization: Bearer ${key}`,
  '-H',
  `X-Client-Id: ${clientId}`,
  `${stack.url}/pro/api/v1/shipping/labels`,
];

async function timed(rows: number, work: () => Promise<void>): Promise<LoadResult> {
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  return { perSecond: (rows / ms) * 1000, p50Ms: ms, p99Ms: ms, failures: 0 };
}

async function toNowhere(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** Fails if the bytes are not the expected document. */
async function checkAnswer(stack: Stack, merchant: Merchant, count: number): Promise<void> {
  const { stdout } = await promisify(execFile)('curl', curlArguments(stack, merchant), { maxBuffer: 2 ** 31 - 1 });
  const { shippings } = JSON.parse(stdout) as { shippings: unknown[] };
  if (shippings.length !== count) throw new Error(`${shippings.length} shipments exported, ${count} expected`);
}
