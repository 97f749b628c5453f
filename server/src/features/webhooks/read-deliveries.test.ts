import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsRead } from '../../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { readDeliveries } from './read-deliveries.ts';

const MANY = 20_000;

let database: TestDatabase;
const [account, busy, quiet] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
beforeAll(async () => {
  database = await createTestDatabase();
  // One webhook receives everything. The other received the first hundred events, and half of them were dropped.
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

test.each([
  ['of a busy webhook', busy, {}],
  ['of a quiet webhook beside a busy one', quiet, {}],
  ['of dropped deliveries of a busy webhook without any', busy, { status: 'dropped' }],
  ['of dropped deliveries of a quiet webhook', quiet, { status: 'dropped' }],
  ['far from the newest', busy, { cursor: '00000000-0000-7000-8000-000000000400' }],
] as const)(
  'a page %s reads few more rows than it shows, however many deliveries the account has',
  async (_, webhook, wanted) => {
    const read = await rowsRead(database.db, 'public.%', (tx) => readDeliveries(tx, account, webhook, wanted));
    expect(read).toBeLessThanOrEqual(2 * 26);
  },
);
