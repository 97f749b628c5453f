import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { type MigrationFile, splitStatements } from './migration-files.ts';

export interface PlannedStatement {
  migration: string;
  statement: string;
  table: string | null;
  /** Operations of others on the table that wait meanwhile. */
  blocks: 'nothing' | 'writes' | 'reads and writes';
  rows: number;
  /** A guess from the size of the table: scans at 200 MB/s, writes of 50,000 rows/s. */
  seconds: number;
}

type Work = 'none' | 'scan' | 'write';

/** The first pattern that matches decides. A statement that none of them knows is assumed to be the worst. */
const KINDS: [pattern: RegExp, blocks: PlannedStatement['blocks'], work: Work][] = [
  [/^create (?:table|type|function|or replace function|sequence|extension|view)/, 'nothing', 'none'],
  [/^(?:create (?:unique )?|drop )index concurrently/, 'nothing', 'scan'],
  [/^create (?:unique )?index/, 'writes', 'scan'],
  [/^create (?:constraint )?trigger/, 'writes', 'none'],
  [/^(?:insert|update|delete|with|do)\b/, 'nothing', 'write'],
  [/^(?:comment|grant|revoke|set|select|analyze)\b/, 'nothing', 'none'],
  [/^drop (?:table|index|trigger|function|type|view)/, 'reads and writes', 'none'],
  [
    /^alter table .*\b(?:type|add constraint (?!.*not valid)|add (?:check|unique|primary key|foreign key)|set not null)\b/,
    'reads and writes',
    'scan',
  ],
  [/^alter table .*\bvalidate constraint/, 'nothing', 'scan'],
  [/^alter /, 'reads and writes', 'none'],
];
const TABLE_NAMES = [
  /^(?:alter|drop|create) table (?:if (?:not )?exists )?(\w+)/,
  /^(?:insert into|update|delete from) (\w+)/,
  /^(?:create|drop) .*? on (?:only )?(\w+)/,
];
const SCAN_BYTES_PER_SECOND = 200e6;
const WRITTEN_ROWS_PER_SECOND = 50_000;

/** Which statements the pending files would run, which locks they take, and roughly how long, on this database. */
export async function planMigrations(db: Kysely<unknown>, pending: MigrationFile[]): Promise<PlannedStatement[]> {
  const sizes = await readSizes(db);
  return pending.flatMap(({ name, text }) =>
    splitStatements(text).map((source) => {
      const { table, blocks, work } = classify(source);
      const { rows = 0, bytes = 0 } = sizes.get(table ?? '') ?? {};
      const seconds =
        work === 'scan' ? bytes / SCAN_BYTES_PER_SECOND : work === 'write' ? rows / WRITTEN_ROWS_PER_SECOND : 0;
      return {
        migration: name,
        statement: shorten(source),
        table,
        blocks,
        rows,
        seconds: Math.ceil(seconds * 10) / 10,
      };
    }),
  );
}

const withoutComments = (statement: string) => statement.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim();
const shorten = (statement: string) => {
  const line = withoutComments(statement);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

export function classify(statement: string): { table: string | null; blocks: PlannedStatement['blocks']; work: Work } {
  const line = withoutComments(statement).toLowerCase();
  const table = TABLE_NAMES.map((pattern) => pattern.exec(line)?.[1]).find(Boolean) ?? null;
  const [, blocks = 'reads and writes' as const, work = 'scan' as const] =
    KINDS.find(([pattern]) => pattern.test(line)) ?? [];
  return { table, blocks, work };
}

async function readSizes(db: Kysely<unknown>): Promise<Map<string, { rows: number; bytes: number }>> {
  const { rows } = await sql<{ name: string; rows: number; bytes: number }>`
    select t.relname as name, sum(greatest(part.reltuples, 0))::float8 as rows, sum(pg_table_size(part.oid))::float8 as bytes
    from pg_class t
    cross join lateral (
      select t.oid, t.reltuples where t.relkind = 'r'
      union all
      select leaf.oid, leaf.reltuples from pg_partition_tree(t.oid) tree join pg_class leaf on leaf.oid = tree.relid
      where t.relkind = 'p' and tree.isleaf
    ) part
    where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace group by 1`.execute(db);
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}
