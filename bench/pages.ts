import { setTimeout } from 'node:timers/promises';
import { fillAccount, type Sample } from './load/fill-account.ts';
import { groupOf } from './load/past-shipments.ts';
import type { Merchant, Stack } from './stack.ts';

const REQUESTS = 200;
const LAST_CURSOR = Buffer.from('before 51').toString('base64url');
const ALLOWED_RATIO = 1.3;

export interface PagesSide extends Sample {
  stack: Stack;
  merchant: Merchant;
  shipments: number;
}

/** Every read on a small table and on a large one, in turn: no read may cost more on the large table. */
export async function benchPages(small: Stack, large: Stack, smallCount: number, largeCount: number): Promise<boolean> {
  return comparePages(await fill(small, smallCount), await fill(large, largeCount), ALLOWED_RATIO);
}

export async function comparePages(small: PagesSide, large: PagesSide, allowedRatio: number): Promise<boolean> {
  console.log(
    `\nReads on ${small.shipments} and on ${large.shipments} shipments, ${REQUESTS} of each in turn, medians`,
  );
  const reads: Record<string, (side: PagesSide) => string> = {
    'first page': () => '/shipping?limit=50',
    'deep page': ({ shipments }) => `/shipping?limit=50&page=${Math.floor(shipments / 100)}`,
    'last page by cursor': () => `/shipping?limit=50&cursor=${LAST_CURSOR}`,
    'by id': ({ ids }) => `/shipping/${pick(ids)}`,
    'by reference': ({ references }) => `/shipping/reference/${pick(references)}`,
    tracking: ({ references }) => `/shipping/tracking/${pick(references)}`,
    'one day': () => `/shipping?limit=50&from=${day(1)}&to=${day(1)}`,
    'by status': () => '/shipping?limit=50&status=in_transit',
    'by group': ({ shipments }) => `/shipping?limit=50&groupReference=${groupOf(shipments - 100)}`,
    stats: () => '/shipping/stats',
  };
  const before = await countScans(large.stack);
  let flat = true;
  for (const [name, path] of Object.entries(reads)) {
    const [smallMs, largeMs] = await measure([small, large], path);
    const ratio = largeMs / smallMs;
    flat &&= ratio <= allowedRatio;
    console.log(
      `  ${name.padEnd(20)} ${smallMs.toFixed(2)} ms, ${largeMs.toFixed(2)} ms, ratio ${ratio.toFixed(2)}${ratio > allowedRatio ? '  TOO MUCH' : ''}`,
    );
  }
  const after = await countScans(large.stack);
  const sequential = after.sequential - before.sequential;
  console.log(
    `  scans of the large table meanwhile: ${after.byIndex - before.byIndex} by index, ${sequential} sequential`,
  );
  return flat && sequential === 0;
}

/** PostgreSQL's scan counters of the table. Sessions report them once a second, while they are active. */
async function countScans(stack: Stack): Promise<{ sequential: number; byIndex: number }> {
  await setTimeout(3_000);
  const { rows } = await stack.sql(
    `select seq_scan::int as sequential, idx_scan::int as "byIndex" from pg_stat_user_tables where relname = 'shipments'`,
  );
  return rows[0];
}

async function fill(stack: Stack, shipments: number): Promise<PagesSide> {
  const merchant = stack.merchants[0] as Merchant;
  const side = { stack, merchant, shipments, ...(await fillAccount(stack, merchant, shipments)) };
  for (let i = 0; i < 50; i++) await read(side, `/shipping/${pick(side.ids)}`); // warm up
  return side;
}

/** Alternates between both sides. The median ignores outliers of a busy machine. */
async function measure(
  sides: readonly [PagesSide, PagesSide],
  path: (side: PagesSide) => string,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < REQUESTS; i++) {
    for (const [which, side] of sides.entries()) times[which as 0 | 1].push(await read(side, path(side)));
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]) as [number, number];
}

/** Milliseconds of one request. */
export async function read({ stack, merchant }: PagesSide, path: string): Promise<number> {
  const start = performance.now();
  const headers = { authorization: `Bearer ${merchant.key}`, 'x-client-id': merchant.clientId };
  const response = await fetch(`${stack.url}/pro/api/v1${path}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - start;
}

const pick = (list: string[]) => list[Math.floor(Math.random() * list.length)] ?? '';
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
