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
