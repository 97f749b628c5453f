import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { undefused } from '../../write-csv.ts';

export type Delimiter = ';' | ',' | '\t';

export interface CsvRow {
  /** Where it starts in the file; the first line is 1. */
  line: number;
  cells: string[];
}

const MAX_CELL_ROOM = 64 * 1024; // bytes of one row: more is a quote that nobody closed
const HANDFUL_BYTES = 64 * 1024; // read at a time, in some milliseconds

/** The separator that the header uses most, outside quotes. */
export function findDelimiter(text: string): Delimiter {
  const header = /^[^\r\n]*/.exec(text.slice(0, MAX_CELL_ROOM).replaceAll(/"[^"]*"/g, ''))?.[0] ?? '';
  const count = (delimiter: Delimiter) => header.split(delimiter).length;
  return ([';', ',', '\t'] as const).reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Rows that are not blank, as they come: quotes, line breaks inside them, and what we once defused, undone. */
export async function* readCsv(text: string, delimiter: Delimiter): AsyncGenerator<CsvRow> {
  const rows = Readable.from(inHandfuls(text.replaceAll(/\r\n?/g, '\n'))).pipe(
    parse({
      delimiter,
      bom: true,
      info: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_CELL_ROOM,
    }),
  );
  for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    const cells = record.map((cell) => undefused(cell).trim());
    const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    if (cells.some((cell) => cell !== '')) yield { line: info.lines - breaks, cells };
  }
}

/** Other requests have their turn in between: eight megabytes take seconds, also when every line is blank. */
async function* inHandfuls(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += HANDFUL_BYTES) {
    yield bytes.subarray(at, at + HANDFUL_BYTES);
    await setImmediate();
  }
}
