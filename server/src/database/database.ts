import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Config } from '../config.ts';
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

export function createPool(config: Pick<Config, 'databaseUrl' | 'databasePoolSize'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: config.databasePoolSize,
    connectionTimeoutMillis: 5_000,
    application_name: 'navette',
    types,
  });
  // A connection that breaks while idle is replaced on the next use; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
