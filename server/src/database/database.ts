import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Config } from '../config.ts';
import { PreparingClient, ReplanningClient } from './preparing-client.ts';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** A function that takes a `Tx` writes inside its caller's transaction and never opens its own. */
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
  /** Sends a statement without waiting for the result of the previous one. */
  pipeline?: boolean;
  /** A statement that takes longer fails, also when the server is frozen and sends nothing. */
  timeLimitMs?: number;
  /** A caller that waits longer for a connection, new or in use by others, gets an error. */
  connectionTimeLimitMs?: number;
  /** A statement that waits longer for a lock fails. */
  lockTimeoutMs?: number;
  /**
   * For statements that find their rows by index: prepares each on its second use, and plans it once per connection.
   * Lists and figures over many rows need other plans: docs/decisions/planned-once.md.
   */
  lookups?: boolean;
}

/**
 * One plan per statement, whatever its values, which stays good while tables grow: indexes and nested loops only. A plan made
 * for a table of three pages would scan it until the next ANALYZE, also when thousands of rows have come since.
 */
const LOOKUP_PLANS = [
  '-c plan_cache_mode=force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin', 'material'].map((kind) => `-c enable_${kind}=off`),
  '-c jit=off', // the estimates of a scan that cannot be avoided would start the compiler
].join(' ');

/**
 * Options of `pg` for the job engine. It takes the first few jobs of a queue, which an index has in their order. Without statistics of
 * the queue PostgreSQL would read and sort all of them, tens of thousands after a burst or an outage.
 */
export const jobOptions = () => ({ Client: ReplanningClient, options: `${LOOKUP_PLANS} -c enable_bitmapscan=off` });

/**
 * A database host that vanishes without closing its connections is noticed by TCP after about a minute. A server that
 * is frozen, but whose system still acknowledges packets, is noticed only by time limits on statements.
 */
export const connectionOptions = (connectionTimeLimitMs = 5_000) => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectionTimeLimitMs,
});

/** Options of a pool for requests and jobs. */
export const withTimeLimits = ({
  databaseUrl,
  databaseTimeLimitSeconds,
}: Pick<Config, 'databaseUrl' | 'databaseTimeLimitSeconds'>) => ({
  databaseUrl,
  timeLimitMs: databaseTimeLimitSeconds * 1_000,
  connectionTimeLimitMs: databaseTimeLimitSeconds * 500,
});

/**
 * A process that is frozen, or whose host vanished, within a transaction: its locks would hold up all others. Longer than the
 * limit of a statement, since a busy process may pause between two.
 */
const idleLimit = (timeLimitMs: number) => `-c idle_in_transaction_session_timeout=${2 * timeLimitMs}`;

export function createPool(options: PoolOptions): pg.Pool {
  const { databaseUrl, size, pipeline = false, lookups = false, timeLimitMs, lockTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    pipeline,
    ...(timeLimitMs ? { statement_timeout: timeLimitMs, query_timeout: timeLimitMs + 1_000 } : {}),
    ...(lockTimeoutMs ? { lock_timeout: lockTimeoutMs } : {}),
    ...connectionOptions(options.connectionTimeLimitMs),
    application_name: 'navette',
    ...(lookups ? { Client: PreparingClient } : {}),
    options: [...(lookups ? [LOOKUP_PLANS] : []), ...(timeLimitMs ? [idleLimit(timeLimitMs)] : [])].join(' '),
    types,
  });
  // A broken connection is replaced on the next use, and its running query rejects. Without a listener the error event
  // would end the process: the first line covers idle connections, the second one those in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  // A connection whose statement exceeded its limit without an answer is closed. The next statement on it would wait for
  // the same answer: callers such as Kysely return a connection without telling the pool of the error.
  pool.on('release', (_error, client) => {
    if (!(client as pg.PoolClient & { readyForQuery: boolean }).readyForQuery) void client.end();
  });
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
