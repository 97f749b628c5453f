import { auditEverything } from '../src/audit-everything.ts';
import type { AuditFinding } from '../src/find-broken-rows.ts';
import type { TestServer } from './test-server.ts';

/** What the audit of this server's database finds; nothing when money, events, histories, dispatch and webhooks agree. */
export async function brokenInvariants({ db, config }: Pick<TestServer, 'db' | 'config'>): Promise<AuditFinding[]> {
  const findings = await auditEverything(db, config.timeZone);
  if (findings.length === 0) throw new Error('the audit looked at nothing');
  return findings.filter(({ broken }) => broken > 0);
}
