import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseBeforePartitions } from '../../test/database-before-partitions.ts';
import { spawnNavette } from '../../test/navette-process.ts';

const ROWS = 400;
const BATCH = 100;

/** Events of the last three weeks, of forty accounts. */
const START = new Date().toISOString();
const FILL = `
  create function event(n int) returns uuid language sql as $$
    select (lpad(to_hex((extract(epoch from '${START}'::timestamptz - n * interval '1 hour') * 1000)::bigint), 12, '0') || '7000' || '8000'
      || lpad(to_hex(n), 12, '0'))::uuid $$;
  create function account(n int) returns uuid language sql as $$ select lpad(to_hex(n % 40), 32, '0')::uuid $$;
  insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
    select account(n), event(n), account(n), 'delivered', 1, 1, now() from generate_series(1, ${ROWS}) n;
  insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at, status)
    select account_id, event_id, webhook_id, 1, now(), 200 from webhook_deliveries;`;

let database: Awaited<ReturnType<typeof createDatabaseBeforePartitions>>;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabaseBeforePartitions(FILL);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const kindOf = async (table: string) =>
  (await client.query(`select relkind as kind from pg_class where oid = $1::regclass`, [table])).rows[0].kind;

/** Runs the command and kills it when it reports a step. Returns the step, or null when it ended by itself. */
async function killAtFirstStep(): Promise<string | null> {
  const child = spawnNavette(['partition', '--json', '--batch', String(BATCH)], { DATABASE_URL: database.url }, 'pipe');
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += String(data);
  });
  let first: string | null = null;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { step, table } = JSON.parse(line) as { step?: string; table?: string };
    if (!step) continue;
    first ??= `${table} ${step}`;
    child.kill('SIGKILL');
  }
  const [code] = await exited;
  if (first === null && code !== 0) throw new Error(`it ended with ${code}: ${errors}`);
  return first;
}

/** Inserts, changes and deletes rows, and does the same in a table of its own, until it is stopped. */
function write() {
  let isStopped = false;
  const writing = (async () => {
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query(
      'create table truth as table webhook_deliveries; alter table truth add primary key (account_id, event_id, webhook_id)',
    );
    const both = async (statement: (table: string) => string) => {
      await writer.query('begin');
      await writer.query(statement('webhook_deliveries'));
      await writer.query(statement('truth'));
      await writer.query('commit');
    };
    let changes = 0;
    for (let n = 1; !isStopped; n++, changes++) {
      const at = 1 + ((n * 7) % ROWS);
      const id = freshId(n);
      await both((table) => `update ${table} set resends = ${n % 1000} where event_id = event(${at})`);
      if (n % 5 === 0)
        await both((table) => `delete from ${table} where account_id = account(${at}) and event_id = event(${at})`);
      await both(
        (
          table,
        ) => `insert into ${table} (account_id, event_id, webhook_id, status, attempts, recorded, resends, created_at)
        values (account(${n}), '${id}', account(${n}), 'pending', 0, 0, 0, '2026-01-01') on conflict do nothing`,
      );
    }
    await writer.end();
    return changes;
  })();
  return {
    async stop() {
      isStopped = true;
      return writing;
    },
  };
}
const freshId = (n: number) => {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-9000-${n.toString(16).padStart(12, '0')}`;
};

test('killed at every step while rows change, each run continues, and no row differs', async () => {
  expect(await kindOf('webhook_deliveries')).toBe('r');
  const writer = write();
  const steps: string[] = [];
  for (let step = await killAtFirstStep(); step !== null; step = await killAtFirstStep()) steps.push(step);
  expect(await writer.stop()).toBeGreaterThan(10);
  for (const table of ['webhook_deliveries', 'webhook_attempts']) {
    expect(await kindOf(table)).toBe('p');
    // A run that is killed has often finished the next step as well, so one of two is seen.
    expect(steps.filter((step) => step.startsWith(table)).length).toBeGreaterThanOrEqual(4);
  }
  const { rows } = await client.query(`
    (table webhook_deliveries except table truth) union all (table truth except table webhook_deliveries)`);
  expect(rows).toEqual([]);
  const { rows: counted } = await client.query(`select (select count(*)::int from webhook_attempts) as attempts,
    (select count(*)::int from pg_class where relname like '%_unpartitioned' or relname like '%_by_day') as left`);
  expect(counted).toEqual([{ attempts: ROWS, left: 0 }]);
});
