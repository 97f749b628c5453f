import { reads } from './load/merchant-requests.ts';
import { compare, pgbench, wrk } from './load/tools.ts';
import type { Stack } from './stack.ts';

/** GET /shipping/:id beside pgbench's prepared point select of the same rows. */
export async function benchReads(stack: Stack, seconds: number, rounds: number): Promise<number> {
  const ids: string[][] = [];
  for (const { id } of stack.merchants) {
    const { rows } = await stack.sql('select id from shipments where account_id = $1 order by number limit 500', [id]);
    ids.push(rows.map((row) => row.id));
  }
  await stack.sql('drop table if exists bench_reads');
  await stack.sql(
    `create table bench_reads as select row_number() over () as which, account_id, id
     from (select account_id, id, row_number() over (partition by account_id order by number) as nth from shipments) s where nth <= 500`,
  );
  await stack.sql('alter table bench_reads add primary key (which)');
  await stack.sql('analyze bench_reads');
  const { rows } = await stack.sql('select count(*) as count from bench_reads');
  // The row's address is looked up first by a sub-select, so that both sides read random rows of all accounts.
  const point = `
\\set which random(1, ${rows[0].count})
select s.* from shipments s where (s.account_id, s.id) = (select account_id, id from bench_reads where which = :which);`;
  const script = reads(stack.merchants, ids);
  await wrk(stack.url, script, 3); // warm up
  return compare(
    'GET /shipping/:id (64 connections) beside a prepared point select by pgbench',
    { name: 'pgbench', run: () => pgbench(stack.databaseUrl, point, seconds, 16) },
    { name: 'API', run: () => wrk(stack.url, script, seconds) },
    rounds,
  );
}
