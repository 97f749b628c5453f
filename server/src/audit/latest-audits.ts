import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

export interface RecordedAudit {
  finishedAt: Date;
  brokenRows: number;
  /** The invariants that rows violated. */
  brokenInvariants: string[];
}

/** The latest audits, newest first. */
export async function readLatestAudits(db: Database, limit: number): Promise<RecordedAudit[]> {
  return db
    .selectFrom('audit_runs')
    .select(['finished_at as finishedAt', 'broken_rows as brokenRows', 'broken_invariants as brokenInvariants'])
    .orderBy('finished_at', 'desc')
    .limit(limit)
    .execute();
}

/** Since when the subject of the nightly audit that waits longest was not audited; null before the first night. */
export async function readOldestTurn(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest(oldest.at, (select max(finished_at - seconds * interval '1 second') from audit_runs where is_full)) as at
    from (select min(coalesce(audited_at, listed_at)) as at from audit_turns) oldest
    where oldest.at is not null`.execute(db);
  return rows[0]?.at ?? null;
}
