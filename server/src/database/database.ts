import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** A function that takes a `Tx` writes inside somebody's transaction and never opens its own. */
export type Tx = Transaction<DB>;

const INT8 = pg.types.builtins.INT8;

/** Counts and cents stay far below 2^53, so bigint columns arrive as plain numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

export interface PoolOptions {
  databaseUrl: string;
  size: number;
  /** Statements are sent without waiting for the answer to the one before. */
  pipeline?: boolean;
  /** After this a statement fails, also when the server is frozen and would never say so. */
  timeLimitMs?: number;
}

export function createPool({ databaseUrl, size, pipeline = false, timeLimitMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    pipeline,
    ...(timeLimitMs ? { statement_timeout: timeLimitMs, query_timeout: timeLimitMs + 1_000 } : {}),
    connectionTimeoutMillis: 5_000,
    application_name: 'navette',
    // Our statements use the same index for any value: planning them anew each time takes longer than running them.
    options: '-c plan_cache_mode=force_generic_plan',
    types,
  });
  // A connection that breaks is replaced on the next use, and the query under way rejects. Without a listener the event
  // would end the process: the pool listens while a connection is idle, the second line while somebody uses it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
