import { setTimeout } from 'node:timers/promises';
import { createPool } from '../../server/src/database/database.ts';

const EVERY_MS = 100;
const AT_ONCE = 5; // an insert that hangs does not keep the next ones from being tried

/** Inserts a row every 100 ms through HAProxy, without Navette: how long the cluster itself accepts no write. */
export async function startProbe(databaseUrl: string) {
  const pool = createPool({ databaseUrl, size: AT_ONCE, timeLimitMs: 1_000 });
  await pool.query('create schema if not exists probe');
  await pool.query('create table if not exists probe.rows (at timestamptz not null default now())');
  const insertedAt: number[] = [];
  let isStopping = false;
  let open = 0;
  const insert = async () => {
    open++;
    await pool.query('insert into probe.rows default values').then(
      () => insertedAt.push(performance.now()),
      () => {},
    );
    open--;
  };
  const inserting = (async () => {
    while (!isStopping) {
      if (open < AT_ONCE) void insert();
      await setTimeout(EVERY_MS);
    }
  })();
  return {
    insertedAt,
    async stop() {
      isStopping = true;
      await inserting;
      await pool.end();
    },
  };
}
