import { createHash, randomUUIDv7 } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ImportColumn, type ImportRequest, MAX_IMPORT_LINES } from '@navette/contract';
import { CsvError } from 'csv-parse';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { type CreationContext, checkAccount } from '../shipments/index.ts';
import { checkLine, type LineCheck } from './check-line.ts';
import { matchColumns } from './import-columns.ts';
import { type CsvRow, type Delimiter, findDelimiter, readCsv } from './read-csv.ts';

export interface CheckedLine extends CsvRow {
  check: LineCheck;
}

export interface Preview {
  id: string;
  filename: string;
  contentHash: Buffer;
  delimiter: Delimiter;
  columns: ImportColumn[];
  lines: CheckedLine[];
}

const MOST_COLUMNS = 1_000; // the error file repeats all columns for each of up to 5,000 lines
const LINES_AT_A_TIME = 100; // then the event loop serves other requests

/** Reads a file and checks every line as a creation would. Nothing is created. */
export async function previewImport(
  { accounts, preparationContext }: CreationContext,
  accountId: string,
  { filename, text }: ImportRequest,
): Promise<Preview> {
  const account = await accounts.currentSettingsOf(accountId);
  const context = preparationContext(account);
  const blocked = checkAccount(account, context.now);
  if (blocked) throw blocked;

  const delimiter = findDelimiter(text);
  const [header, ...rows] = await readRows(text, delimiter);
  if (!header || rows.length === 0) return refuseDashboard('EMPTY_IMPORT');
  if (header.cells.length > MOST_COLUMNS) return refuseDashboard('UNREADABLE_FILE');
  const columns = matchColumns(header.cells);
  const lines: CheckedLine[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % LINES_AT_A_TIME === 0) await setImmediate();
    lines.push({ ...row, check: checkLine(row.cells, columns, account, context) });
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
