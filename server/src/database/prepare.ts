import type { Compilable } from 'kysely';
import type pg from 'pg';

/**
 * A query with one parameter, written with Kysely but compiled once, and parsed and planned once per connection under
 * its name: for look-ups on the way of every request. The query is built with any value as an example.
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
