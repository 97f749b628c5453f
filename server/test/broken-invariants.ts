import { auditEverything } from '../src/audit/audit-everything.ts';
import type { AuditFinding } from '../src/audit/find-broken-rows.ts';
import type { TestServer } from './test-server.ts';

/** Invariants that the audit of this server's database finds broken: money, events, histories, dispatch, webhooks. */
export async function brokenInvariants(
  { db, config }: Pick<TestServer, 'db' | 'config'>,
  now?: Date,
): Promise<AuditFinding[]> {
  const findings = await auditEverything(db, config, now);
  if (findings.length === 0) throw new Error('the audit looked at nothing');
  return findings.filter(({ broken }) => broken > 0);
}
