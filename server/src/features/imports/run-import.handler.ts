import type { ImportColumn } from '@navette/contract';
import { type NotNull, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { ImportPayload } from '../../jobs/definitions.ts';
import { notify } from '../notifications/index.ts';
import type { CreationContext } from '../shipments/index.ts';
import { explainRefusal } from './check-line.ts';
import { createLines, type GoodLine, type LineOutcome } from './create-lines.ts';
import { valuesOf } from './read-line.ts';

const LINES_AT_ONCE = 50; // in one transaction, which a cancellation does not interrupt

interface WaitingLine extends GoodLine {
  cells: string[];
}

/** Creates the valid lines of an import, batch by batch, until none is left or the import is cancelled. */
export async function runImport(
  { db, jobs, creation }: { db: Database; jobs: JobSender; creation: CreationContext },
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
    if (lines.length === 0) return finish(db, jobs, accountId, importId, now());
    const outcomes = await createLines(creation, accountId, importId, lines);
    await record(db, accountId, importId, toRows(outcomes, lines, running.columns));
  }
}

const nextLines = (db: Database, accountId: string, importId: string): Promise<WaitingLine[]> =>
  db
    .selectFrom('import_lines')
    .select(['line', 'request', 'cells'])
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .where('state', '=', sql.lit('good')) // uses the partial index import_lines_to_create
    .orderBy('line')
    .limit(LINES_AT_ONCE)
    .$narrowType<{ request: NotNull }>() // only a bad line has none
    .execute();

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

/** Counts only the lines whose state it changes, so that two workers on one import count no line twice. */
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

async function finish(db: Database, jobs: JobSender, accountId: string, importId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('imports')
      .set({ state: 'done', finished_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', importId)
      .where('state', '=', 'running')
      .returning('filename as title')
      .executeTakeFirst();
    if (!done) return;
    await notify(tx, jobs, accountId, { kind: 'import-finished', once: importId, ...done, target: importId }, now);
  });
}
