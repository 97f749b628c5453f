import {
  type Import,
  type ImportError,
  type ImportSample,
  type ImportState,
  type ImportSummary,
  SHOWN_IMPORT_ERRORS,
} from '@navette/contract';
import { type NotNull, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { toEuros } from '../ledger/index.ts';
import { missingFields } from './import-columns.ts';

const SAMPLE_LINES = 5;

const selectImports = (db: Database, accountId: string) =>
  db.selectFrom('imports').selectAll().where('account_id', '=', accountId);
type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

export async function findImport(db: Database, accountId: string, importId: string): Promise<ImportRow> {
  if (!isUuid(importId)) return refuseAsNotFound();
  const row = await selectImports(db, accountId).where('id', '=', importId).executeTakeFirst();
  return row ?? refuseAsNotFound();
}

/** An import with the errors, sample and balance that a member needs to decide, and its progress. */
export async function readImport(
  db: Database,
  accountId: string,
  importId: string,
  balanceCents: number,
): Promise<Import> {
  const row = await findImport(db, accountId, importId);
  const [errors, sample, same] = await Promise.all([
    readErrors(db, accountId, importId),
    readSample(db, accountId, importId),
    findSameFile(db, accountId, row),
  ]);
  return {
    ...toSummary(row),
    columns: row.columns,
    missingFields: row.erased_at ? [] : missingFields(row.columns),
    errors,
    sample,
    balance: toEuros(balanceCents),
    sameFileAs: same?.started_at ? { id: same.id, startedAt: same.started_at.toISOString() } : null,
  };
}

/** Newest first: ids are in the order of time. */
export async function listImports(db: Database, accountId: string, cursor: string | undefined, limit: number) {
  if (cursor !== undefined && !isUuid(cursor)) {
    throw fieldErrors([{ type: 'field', msg: 'Curseur inconnu.', path: 'cursor', location: 'query' }]);
  }
  let query = selectImports(db, accountId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor) query = query.where('id', '<', cursor);
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  return { imports: page.map(toSummary), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

const toSummary = (row: ImportRow): ImportSummary => ({
  id: row.id,
  filename: row.filename,
  state: row.state as ImportState,
  lines: row.lines,
  good: row.good,
  bad: row.lines - row.good,
  created: row.created,
  failed: row.failed,
  amount: toEuros(row.amount_cents),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
  erasedAt: row.erased_at?.toISOString() ?? null,
});

const selectLines = (db: Database, accountId: string, importId: string) =>
  db.selectFrom('import_lines').where('account_id', '=', accountId).where('import_id', '=', importId).orderBy('line');

async function readErrors(db: Database, accountId: string, importId: string): Promise<ImportError[]> {
  const rows = await selectLines(db, accountId, importId)
    .select(['line', 'errors'])
    .where('state', 'in', [sql.lit('bad'), sql.lit('failed')]) // uses the partial index import_lines_refused
    .limit(SHOWN_IMPORT_ERRORS)
    .$narrowType<{ errors: NotNull }>() // a refused line always has its reasons
    .execute();
  const errors = rows.flatMap(({ line, errors: own }) => own.map((error) => ({ line, ...error })));
  return errors.slice(0, SHOWN_IMPORT_ERRORS);
}

async function readSample(db: Database, accountId: string, importId: string): Promise<ImportSample[]> {
  const rows = await selectLines(db, accountId, importId)
    .select(['line', 'request', 'price_cents'])
    .where('request', 'is not', null)
    .limit(SAMPLE_LINES)
    .$narrowType<{ request: NotNull }>()
    .execute();
  return rows.map(({ line, request: wanted, price_cents: cents }) => {
    const { recipientName, street, postalCode, city } = wanted.deliveryAddress;
    return {
      line,
      orderId: wanted.externalReference?.orderId ?? null,
      recipientName,
      street,
      postalCode,
      city,
      weight: wanted.parcelDetails.weight,
      nature: wanted.parcelDetails.nature,
      scheduledDate: wanted.scheduledDate ?? null,
      timeSlot: wanted.timeSlot ?? null,
      price: toEuros(cents ?? 0),
    };
  });
}

const findSameFile = (db: Database, accountId: string, { id, content_hash: hash }: ImportRow) =>
  db
    .selectFrom('imports')
    .select(['id', 'started_at'])
    .where('account_id', '=', accountId)
    .where('content_hash', '=', hash)
    .where('started_at', 'is not', null)
    .where('id', '<>', id)
    .orderBy('started_at', 'desc')
    .executeTakeFirst();
