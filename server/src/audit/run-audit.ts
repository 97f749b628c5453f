import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Retention } from '../features/personal-data/index.ts';
import { auditEverything } from './audit-everything.ts';
import type { AuditFinding } from './find-broken-rows.ts';

const KEPT_DAYS = 400;
const READ_ONLY = '25006';

/** Audits and records the outcome. The database must have no time limit for statements: an audit may take minutes. */
export async function runAudit(db: Database, config: Retention & Pick<Config, 'timeZone'>): Promise<AuditFinding[]> {
  const started = performance.now();
  const findings = await auditEverything(db, config);
  await record(db, findings, (performance.now() - started) / 1_000).catch(ignoreReadOnly);
  return findings;
}

async function record(db: Database, findings: AuditFinding[], seconds: number): Promise<void> {
  const broken = findings.filter((finding) => finding.broken > 0);
  await db
    .deleteFrom('audit_runs')
    .where('finished_at', '<', sql<Date>`now() - ${KEPT_DAYS} * interval '1 day'`)
    .execute();
  await db
    .insertInto('audit_runs')
    .values({
      finished_at: sql`clock_timestamp()`,
      seconds,
      broken_rows: broken.reduce((sum, finding) => sum + finding.broken, 0),
      broken_invariants: broken.map(({ invariant }) => invariant),
    })
    .execute();
}

/** An audit of a standby has no place to record its outcome. */
function ignoreReadOnly(error: { code?: string }): void {
  if (error.code !== READ_ONLY) throw error;
}
