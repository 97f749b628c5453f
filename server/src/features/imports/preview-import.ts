import { createHash, randomUUIDv7 } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ImportColumn, type ImportRequest, MAX_IMPORT_LINES } from '@navette/contract';
import { CsvError } from 'csv-parse';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import { type Creating, checkAccount } from '../shipments/index.ts';
import { understandHeader } from './import-columns.ts';
import { type Judgement, judgeLine } from './judge-line.ts';
import { type CsvRow, type Delimiter, findDelimiter, readCsv } from './read-csv.ts';
import { valuesOf } from './read-line.ts';

export interface JudgedLine extends CsvRow {
  judgement: Judgement;
}

export interface Preview {
  id: string;
  filename: string;
  contentHash: Buffer;
  delimiter: Delimiter;
  columns: ImportColumn[];
  lines: JudgedLine[];
}

const MOST_COLUMNS = 1_000; // each of 5,000 lines has them all in the file of what is to be corrected
const LINES_AT_A_TIME = 100; // then other requests have their turn

/** Reads a file and judges every line as a creation would. Nothing is created. */
export async function previewImport(
  { accounts, context }: Creating,
  accountId: string,
  { filename, text }: ImportRequest,
): Promise<Preview> {
  const account = await accounts.currentSettingsOf(accountId);
  const now = context();
  const blocked = checkAccount(account, now.now);
  if (blocked) throw blocked;

  const delimiter = findDelimiter(text);
  const [header, ...rows] = await readRows(text, delimiter);
  if (!header || rows.length === 0) return refuseDashboard('EMPTY_IMPORT');
  if (header.cells.length > MOST_COLUMNS) return refuseDashboard('UNREADABLE_FILE');
  const columns = understandHeader(header.cells);
  const lines: JudgedLine[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % LINES_AT_A_TIME === 0) await setImmediate();
    lines.push({ ...row, judgement: judgeLine(valuesOf(row.cells, columns), account, now) });
  }
  const contentHash = createHash('sha256').update(text).digest();
  return { id: randomUUIDv7(), filename: filename.trim(), contentHash, delimiter, columns, lines };
}

async function readRows(text: string, delimiter: Delimiter): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  try {
    for await (const row of readCsv(text, delimiter)) {
      if (rows.push(row) > MAX_IMPORT_LINES + 1) return refuseDashboard('TOO_MANY_LINES');
    }
  } catch (error) {
    if (error instanceof CsvError) return refuseDashboard('UNREADABLE_FILE');
    throw error;
  }
  return rows;
}
