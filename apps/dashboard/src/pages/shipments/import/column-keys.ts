import type { Import } from './imports-queries.ts';

type Column = Import['columns'][number];

/** Columns of a file with a React key. The key is the position, since names may be blank or repeated. */
export const withKeys = (columns: readonly Column[]) =>
  columns.map((column, position) => ({ ...column, key: String(position) }));
