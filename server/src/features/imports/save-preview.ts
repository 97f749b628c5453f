import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CheckedLine, Preview } from './preview-import.ts';

const LINES_AT_ONCE = 1_000;

export async function savePreview(
  db: Database,
  accountId: string,
  preview: Preview,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  const { id, filename, contentHash, delimiter, columns, lines } = preview;
  const prices = lines.flatMap(({ check }) => (check.kind === 'good' ? [check.priceCents] : []));
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('imports')
      .values({
        account_id: accountId,
        id,
        filename,
        content_hash: contentHash,
        state: 'previewed',
        delimiter,
        columns: JSON.stringify(columns),
        lines: lines.length,
        good: prices.length,
        amount_cents: prices.reduce((sum, cents) => sum + cents, 0),
        created_by: by,
        created_at: now,
      })
      .execute();
    for (let i = 0; i < lines.length; i += LINES_AT_ONCE) {
      const rows = lines.slice(i, i + LINES_AT_ONCE).map(toRow);
      await sql`
        insert into import_lines (account_id, import_id, line, state, cells, request, price_cents, errors)
        select ${accountId}, ${id}, line, state, cells, request, price_cents, errors
        from json_to_recordset(${JSON.stringify(rows)})
          as l (line int, state text, cells json, request json, price_cents int, errors json)
      `.execute(tx);
    }
  });
}

const toRow = ({ line, cells, check }: CheckedLine) => ({
  line,
  cells,
  state: check.kind,
  ...(check.kind === 'good' ? { request: check.request, price_cents: check.priceCents } : { errors: check.errors }),
});
