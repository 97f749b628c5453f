import { type KyselyPlugin, PostgresQueryCompiler, type QueryId, type RawBuilder, RawNode, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Tables and views by name, and the condition for the rows of each that a slice has. Others stay whole. */
export type Slice = Readonly<Record<string, RawBuilder<unknown>>>;

/**
 * The same database, whose checks see a slice of some tables only. Each statement is sent with a common table expression
 * for every such table that it names: PostgreSQL looks names up there first, and puts the condition into each use.
 */
export function sliceOf(db: Database, slice: Slice): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (!RawNode.is(node)) throw new Error('a slice is for the SQL of checks only');
      const parts = tablesIn(node, queryId)
        .filter((name) => Object.hasOwn(slice, name))
        .map(
          (name) =>
            sql`${sql.id(name)} as not materialized (select * from ${sql.id('public', name)} where ${slice[name]})`,
        );
      if (parts.length === 0) return node;
      return RawNode.createWithChildren([sql`with ${sql.join(parts)} `.toOperationNode(), node]);
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin);
}

const compiler = new PostgresQueryCompiler();

/** Every word of the statement: a word that only looks like a table adds an expression that is not used. */
const tablesIn = (node: RawNode, queryId: QueryId): string[] => [
  ...new Set(compiler.compileQuery(node, queryId).sql.match(/[a-z_][a-z0-9_]*/g)),
];
