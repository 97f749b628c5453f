import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createTestStaff, type TestStaff } from '../server/test/console.ts';
import { type CompanySize, fillFigures } from '../server/test/fill-figures.ts';
import { compareSides } from './load/compare-sides.ts';
import { timed } from './load/timing.ts';
import type { Stack } from './stack.ts';

const REQUESTS = 40;

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
  const compare = async (name: string, read: (staff: TestStaff) => Promise<{ status: number }>) => {
    holds = (await compareSides(sides, name, REQUESTS, (staff) => timed(() => read(staff)))) && holds;
  };
  for (const [name, query] of Object.entries(periods)) {
    await compare(`whole company, ${name}`, (staff) => staff.call('readFigures', { query }));
    for (const by of ['day', 'hour', 'zone', 'merchant', 'driver'] as const) {
      await compare(`by ${by}, ${name}`, (staff) => staff.call('listFigures', { query: { ...query, by } }));
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
