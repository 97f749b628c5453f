import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { selectPage } from './read-deliveries.ts';

const MANY = 20_000;

let database: TestDatabase;
const [account, busy, quiet] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
beforeAll(async () => {
  database = await createTestDatabase();
  // One webhook hears everything; the other heard the first hundred events and lost half of them.
  await sql`insert into events (account_id, id, shipment_id, type, body, created_at)
    select ${account}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${account}, 'shipping.assigned', '{}', now()
    from generate_series(1, ${MANY}::int) n`.execute(database.db);
  await sql`insert into webhook_deliveries (account_id, event_id, webhook_id, status, settled_at)
    select account_id, id, ${busy}::uuid, 'delivered', now() from events
    union all
    select account_id, id, ${quiet}::uuid, case when n % 2 = 0 then 'dropped' else 'delivered' end, now()
    from (select *, row_number() over (order by id) as n from events) e where n <= 100`.execute(database.db);
  await sql`analyze`.execute(database.db);
});
afterAll(() => database.drop());

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] ? plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0);

test.each([
  ['of a busy webhook', busy, {}],
  ['of a quiet webhook beside a busy one', quiet, {}],
  ['of what a busy webhook lost, which is nothing', busy, { status: 'dropped' }],
  ['of what a quiet webhook lost', quiet, { status: 'dropped' }],
  ['deep down', busy, { cursor: '00000000-0000-7000-8000-000000000400' }],
] as const)(
  'a page %s reads little more than it shows, however much the account was sent',
  async (_, webhook, wanted) => {
    const [explained] = await selectPage(database.db, account, webhook, wanted).explain('json', sql`analyze`);
    const [{ Plan: plan }] = (explained as Record<string, [{ Plan: Plan }]>)['QUERY PLAN'] as [{ Plan: Plan }];
    expect(rowsRead(plan)).toBeLessThanOrEqual(2 * 26);
  },
);
