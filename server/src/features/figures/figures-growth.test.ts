import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompanySize, fillFigures } from '../../../test/fill-figures.ts';
import { rowsRead } from '../../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { lastDays } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { bucketsOf, type Period } from './period.ts';
import { readBusiest, readPerDay, readPerHour, readTotal } from './read-figures.ts';

const SMALL: CompanySize = { days: 35, merchants: 120, drivers: 5, zones: 5 };
/** A hundred times the rows: ten times as old, and with more than ten times the merchants. */
const LARGE: CompanySize = { days: 350, merchants: 1_500, drivers: 20, zones: 20 };
const LOOKED_AT = 100; // merchants of a day

let small: TestDatabase;
let large: TestDatabase;
beforeAll(async () => {
  [small, large] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await fillFigures(small.db, SMALL);
  await fillFigures(large.db, LARGE);
});
afterAll(() => Promise.all([small, large].map((database) => database?.drop())));

const [from = '', to = ''] = [lastDays(30, 'UTC', new Date())[0], lastDays(1, 'UTC', new Date())[0]];
const TODAY: Period = { from: to, to };
const THIRTY_DAYS: Period = { from, to };

const READS: Record<string, (db: Database, period: Period) => Promise<unknown>> = {
  'the whole company': readTotal,
  'by day': readPerDay,
  'by hour': readPerHour,
  'by merchant': (db, period) => readBusiest(db, 'merchant', period, 51),
};

test.each(Object.keys(READS))('figures of %s read no more rows in a company a hundred times as large', async (name) => {
  const read = READS[name] as (typeof READS)[string];
  for (const period of [TODAY, THIRTY_DAYS]) {
    const [few, many] = [
      await rowsRead(small.db, 'public.figures', (tx) => read(tx, period)),
      await rowsRead(large.db, 'public.figures', (tx) => read(tx, period)),
    ];
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few);
    expect(many).toBeLessThanOrEqual(2 * LOOKED_AT * bucketsOf(period).length);
  }
});

test('the fifty busiest merchants of a day are exactly those with the most runs', async () => {
  const rows = await readBusiest(large.db, 'merchant', TODAY, 50);
  expect(rows).toHaveLength(50);
  expect(new Set(rows.map(({ figures }) => figures.delivered))).toEqual(new Set([40, 39]));
});
