import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createTestStaff, type TestStaff } from '../server/test/console.ts';
import { type CompanySize, fillFigures } from '../server/test/fill-figures.ts';
import { at, timed } from './load/timing.ts';
import type { Stack } from './stack.ts';

const REQUESTS = 40;
const ALLOWED_RATIO = 1.3;
const ALLOWED_P95_MS = 300;

type Query = { from: string; to: string };

/**
 * Every request of the console's page of figures, in a large company and in one of a hundredth of its size, in turn: none
 * may take longer in the large one. Lists have fifty rows in both.
 */
export async function benchFigures(small: Stack, large: Stack, size: CompanySize): Promise<boolean> {
  const hundredth = (count: number) => Math.max(50, count / 100);
  const { days, merchants, drivers, zones } = size;
  const few = { days: 40, merchants: hundredth(merchants), drivers: hundredth(drivers), zones: hundredth(zones) };
  const sides = [await fill(small, few), await fill(large, size)] as const;
  console.log(
    `\nFigures: ${few.merchants} merchants and ${few.days} days, ${merchants} merchants and ${days} days, ${REQUESTS} of each in turn, p50 and p95`,
  );
  const today = new Date().toISOString().slice(0, 10);
  const month = { from: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10), to: today };
  const periods: Record<string, Query> = { today: { from: today, to: today }, '30 days': month };
  let holds = true;
  for (const [name, query] of Object.entries(periods)) {
    holds = (await compare(sides, `whole company, ${name}`, (staff) => staff.call('readFigures', { query }))) && holds;
    for (const by of ['day', 'hour', 'zone', 'merchant', 'driver'] as const) {
      const read = (staff: TestStaff) => staff.call('listFigures', { query: { ...query, by } });
      holds = (await compare(sides, `by ${by}, ${name}`, read)) && holds;
    }
  }
  return holds;
}

async function fill(stack: Stack, size: CompanySize): Promise<TestStaff> {
  const engines = openEngines(
    readConfig({ ...process.env, ...stack.environment, DATABASE_TIME_LIMIT_SECONDS: '300' }),
    createLog('warn'),
  );
  await fillFigures(engines.db, size);
  const staff = await createTestStaff({ db: engines.db, url: stack.url }, 'admin');
  await engines.close();
  return staff;
}

async function compare(
  sides: readonly [TestStaff, TestStaff],
  name: string,
  read: (staff: TestStaff) => Promise<{ status: number }>,
): Promise<boolean> {
  const times: [number[], number[]] = [[], []];
  for (const staff of sides) await read(staff); // warm up
  for (let i = 0; i < REQUESTS; i++)
    for (const which of [0, 1] as const) times[which].push(await timed(() => read(sides[which])));
  const [smallMs, largeMs] = times.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
  const ratio = at(largeMs, 0.5) / at(smallMs, 0.5);
  console.log(
    `  ${name.padEnd(24)} ${ratio.toFixed(2)}  (${at(smallMs, 0.5).toFixed(1)} and ${at(largeMs, 0.5).toFixed(1)} ms, p95 ${at(smallMs, 0.95).toFixed(1)} and ${at(largeMs, 0.95).toFixed(1)} ms)`,
  );
  return ratio <= ALLOWED_RATIO && at(largeMs, 0.95) < ALLOWED_P95_MS;
}
