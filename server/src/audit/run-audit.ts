import type { Database } from '../database/database.ts';
import { type AuditSettings, auditEverything } from './audit-everything.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { recordFullAudit } from './record-audit.ts';

const READ_ONLY = '25006';

/** Audits everything and records the outcome. The database must have no time limit for statements: an audit may take hours. */
export async function runAudit(db: Database, settings: AuditSettings): Promise<AuditFinding[]> {
  const started = performance.now();
  const findings = await auditEverything(db, settings);
  await recordFullAudit(db, findings, (performance.now() - started) / 1_000).catch(ignoreReadOnly);
  return findings;
}

/** An audit of a standby has no place to record its outcome. */
function ignoreReadOnly(error: { code?: string }): void {
  if (error.code !== READ_ONLY) throw error;
}
