import type { ImportColumn } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { ImportPayload } from '../../jobs/definitions.ts';
import type { Creating } from '../shipments/index.ts';
import { createLines, type GoodLine, type LineOutcome } from './create-lines.ts';
import { explainRefusal } from './judge-line.ts';
import { valuesOf } from './read-line.ts';

const LINES_AT_ONCE = 50; // in one transaction; what a cancellation may come too late for

interface WaitingLine extends GoodLine {
  cells: string[];
}

/** Creates the good lines of an import, handful by handful, until none is left or somebody stops it. */
export async function carryOutImport(
  { db, creating }: { db: Database; creating: Creating },
  { accountId, importId }: ImportPayload,
  now: () => Date,
): Promise<void> {
  for (;;) {
    const running = await db
      .selectFrom('imports')
      .select('columns')
      .where('account_id', '=', accountId)
      .where('id', '=', importId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (!running) return;
    const lines = await nextLines(db, accountId, importId);
    if (lines.length === 0) return finish(db, accountId, importId, now());
    const outcomes = await createLines(creating, accountId, importId, lines);
    await record(db, accountId, importId, toRows(outcomes, lines, running.columns as unknown as ImportColumn[]));
  }
}

async function nextLines(db: Database, accountId: string, importId: string): Promise<WaitingLine[]> {
  const rows = await db
    .selectFrom('import_lines')
    .select(['line', 'request', 'cells'])
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .where('state', '=', 'good')
    .orderBy('line')
    .limit(LINES_AT_ONCE)
    .execute();
  return rows as unknown as WaitingLine[];
}

function toRows(outcomes: LineOutcome[], lines: WaitingLine[], columns: ImportColumn[]) {
  const cellsOf = new Map(lines.map(({ line, cells }) => [line, cells]));
  return outcomes.map((outcome) =>
    outcome.kind === 'created'
      ? { line: outcome.line, state: 'created', shipment_id: outcome.shipmentId }
      : {
          line: outcome.line,
          state: 'failed',
          errors: explainRefusal(outcome.refusal, valuesOf(cellsOf.get(outcome.line) ?? [], columns)),
        },
  );
}

/** Counts only the lines that it settles, so that a second worker on the same import counts nothing twice. */
async function record(db: Database, accountId: string, importId: string, rows: object[]): Promise<void> {
  await sql`
    with settled as (
      update import_lines l set state = o.state, errors = o.errors, shipment_id = o.shipment_id
      from json_to_recordset(${JSON.stringify(rows)}) as o (line int, state text, errors json, shipment_id uuid)
      where l.account_id = ${accountId} and l.import_id = ${importId} and l.line = o.line and l.state = 'good'
      returning l.state
    )
    update imports set created = created + (select count(*) from settled where state = 'created'),
                       failed = failed + (select count(*) from settled where state = 'failed')
    where account_id = ${accountId} and id = ${importId}
  `.execute(db);
}

async function finish(db: Database, accountId: string, importId: string, now: Date): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'done', finished_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .execute();
}
