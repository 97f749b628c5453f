/** Every command prints JSON with --json, and text for people without it. */
export interface OutputOptions {
  json?: boolean;
}

type Row = Record<string, unknown>;

export function printRecord(record: Row, { json }: OutputOptions): void {
  if (json) {
    console.log(JSON.stringify(record));
    return;
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  for (const [name, value] of Object.entries(record)) console.log(`${name.padEnd(width)}  ${show(value)}`);
}

export function printTable(rows: Row[], columns: string[], { json }: OutputOptions, whenEmpty: string): void {
  if (json || rows.length === 0) {
    console.log(json ? JSON.stringify(rows) : whenEmpty);
    return;
  }
  const cells = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => show(row[column]))),
  ];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  for (const line of cells)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(show).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${show(inner)}`)
      .join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
