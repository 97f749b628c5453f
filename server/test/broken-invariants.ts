import { type AuditFinding, auditShipments } from '../src/features/shipments/audit.ts';
import type { TestServer } from './test-server.ts';

/** What the audit of this server's database finds; nothing when money, events, histories and counts all agree. */
export async function brokenInvariants({ db, config }: Pick<TestServer, 'db' | 'config'>): Promise<AuditFinding[]> {
  const findings = await auditShipments(db, config.timeZone);
  if (findings.length === 0) throw new Error('the audit looked at nothing');
  return findings.filter(({ broken }) => broken > 0);
}
