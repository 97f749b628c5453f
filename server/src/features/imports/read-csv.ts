import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { unescapeFormulas } from '../../output-formats/write-csv.ts';

export type Delimiter = ';' | ',' | '\t';

export interface CsvRow {
  /** The line of the file where the row starts, from 1. */
  line: number;
  cells: string[];
}

const MAX_ROW_BYTES = 64 * 1024; // a longer row has an unclosed quote
const CHUNK_BYTES = 64 * 1024; // parsed in a few milliseconds

/** The separator that the header uses most, outside quotes. */
export function findDelimiter(text: string): Delimiter {
  const header = /^[^\r\n]*/.exec(text.slice(0, MAX_ROW_BYTES).replaceAll(/"[^"]*"/g, ''))?.[0] ?? '';
  const count = (delimiter: Delimiter) => header.split(delimiter).length;
  return ([';', ',', '\t'] as const).reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Rows that are not blank, unquoted. Escapes that our own exports add against formula injection are removed. */
export async function* readCsv(text: string, delimiter: Delimiter): AsyncGenerator<CsvRow> {
  const rows = Readable.from(inChunks(text.replaceAll(/\r\n?/g, '\n'))).pipe(
    parse({
      delimiter,
      bom: true,
      info: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_BYTES,
    }),
  );
  for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    const cells = record.map((cell) => unescapeFormulas(cell).trim());
    const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    if (cells.some((cell) => cell !== '')) yield { line: info.lines - breaks, cells };
  }
}

/** Yields to other requests between chunks: eight megabytes take seconds, even when every line is blank. */
async function* inChunks(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
    await setImmediate();
  }
}
