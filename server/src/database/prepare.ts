import type { Compilable } from 'kysely';
import type pg from 'pg';

/**
 * Prepares a query with one parameter, for look-ups that every request makes. Kysely compiles it once, and PostgreSQL
 * parses and plans it once per connection. `example` is the query built with any value.
 */
export function prepare<Row>(
  pool: pg.Pool,
  name: string,
  example: Compilable<Row>,
): (value: unknown) => Promise<Row[]> {
  const { sql: text, parameters } = example.compile();
  if (parameters.length !== 1) throw new Error(`${name} must have one parameter`);
  return async (value) => (await pool.query({ name, text, values: [value] })).rows as Row[];
}
