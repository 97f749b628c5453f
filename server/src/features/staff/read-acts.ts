import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { ChainedAct } from './operator-log.ts';

export interface ActRow extends ChainedAct {
  hash: Buffer;
}

/** Which entries, by the time when they were written and by number; an absent bound is open. */
export interface ActPeriod {
  since?: Date;
  before?: Date;
  after?: number;
  upTo?: number;
}

const COLUMNS = sql`number, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  actor_kind as "actorKind", staff_id as "staffId", actor, act, subject_type as "subjectType", subject_id as "subjectId",
  subject_title as "subjectTitle", reason, details, hash`;

const PAGE = 50;

interface ActFilter {
  /** The number of the last entry of the previous page. */
  cursor?: string | undefined;
  staffId?: string | undefined;
  subjectId?: string | undefined;
  act?: string | undefined;
}

/** Newest first. A page is a range of numbers, so every page costs the same. */
export async function listOperatorActs(db: Database, { cursor, staffId, subjectId, act }: ActFilter) {
  const before = cursor === undefined || !/^\d{1,15}$/.test(cursor) ? null : Number(cursor);
  const rows = await read(
    db,
    [
      ...(before === null ? [] : [sql`number < ${before}`]),
      ...(staffId === undefined ? [] : [isUuid(staffId) ? sql`staff_id = ${staffId}` : sql`false`]),
      ...(subjectId === undefined ? [] : [sql`subject_id = ${subjectId}`]),
      ...(act === undefined ? [] : [sql`act = ${act}`]),
    ],
    sql`desc`,
    PAGE + 1,
  );
  const acts = rows.slice(0, PAGE);
  return { acts, nextCursor: rows.length > PAGE ? String(acts.at(-1)?.number) : null };
}

/** Oldest first, page by page: memory stays bounded, and no connection is held while a page is processed. */
export async function* readActPages(
  db: Database,
  { since, before, after: start, upTo }: ActPeriod = {},
  pageSize = 1_000,
): AsyncGenerator<ActRow[]> {
  let after = start ?? null;
  for (;;) {
    const rows: ActRow[] = await read(
      db,
      [
        ...(after === null ? [] : [sql`number > ${after}`]),
        ...(since ? [sql`at >= ${since}`] : []),
        ...(before ? [sql`at < ${before}`] : []),
        ...(upTo === undefined ? [] : [sql`number <= ${upTo}`]),
      ],
      sql`asc`,
      pageSize,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.number ?? null;
  }
}

async function read(db: Database, bounds: RawBuilder<unknown>[], order: RawBuilder<unknown>, limit: number) {
  const where = bounds.length > 0 ? sql`where ${sql.join(bounds, sql` and `)}` : sql``;
  const { rows } = await sql<ActRow>`
    select ${COLUMNS} from operator_acts ${where} order by number ${order} limit ${limit}`.execute(db);
  return rows;
}
