import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPrivatePostgres } from './private-postgres.ts';

test.each([
  ['keeps every commit that was confirmed', 'on'],
  ['loses commits that were confirmed before they were synchronised', 'off'],
])('a power failure %s', async (_, synchronousCommit) => {
  const settings = { wal_writer_delay: '10000', wal_writer_flush_after: '1GB', synchronous_commit: synchronousCommit };
  const postgres = await startPrivatePostgres(settings);
  const connectionString = postgres.url.replace(/\w+$/, 'postgres');
  const connect = async () => {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {}); // its server fails
    await client.connect();
    return client;
  };
  const confirmed: string[] = [];
  const write = async () => {
    const client = await connect();
    try {
      for (;;) {
        const { rows } = await client.query<{ id: string }>('insert into orders default values returning id');
        confirmed.push(...rows.map(({ id }) => id));
      }
    } catch {
      await client.end().catch(() => {});
    }
  };
  try {
    const setUp = await connect();
    await setUp.query('create table orders (id bigserial primary key)');
    await setUp.query('checkpoint');
    await setUp.end();
    const writers = Array.from({ length: 8 }, write);
    while (confirmed.length < 500) await setTimeout(10);
    await postgres.crash();
    await Promise.all(writers);
    await postgres.start();
    const client = await connect();
    const { rows } = await client.query<{ id: string }>('select id from orders');
    await client.end();
    const kept = new Set(rows.map(({ id }) => id));
    const lost = confirmed.filter((id) => !kept.has(id));
    expect(lost.length > 0).toBe(synchronousCommit === 'off');
  } finally {
    await postgres.remove();
  }
});
