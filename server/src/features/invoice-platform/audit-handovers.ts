import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';

/** Compares hand-overs with documents and statuses. Reads only. */
export function auditHandovers(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'only documents that were handed over have a status': sql`
      select distinct s.number as broken from invoice_statuses s
      join invoice_handovers h on (h.account_id, h.number) = (s.account_id, s.number)
      where h.state <> 'handed_over'`,
    'a document that was handed over is asked about until its last status': sql`
      select h.number as broken from invoice_handovers h
      where h.state = 'handed_over' and h.ask_at is null and h.handed_over_at > now() - interval '400 days'
        and not exists (select from invoice_statuses s where (s.account_id, s.number) = (h.account_id, h.number)
                        and s.code in (210, 212, 213))`,
    'no test account has a document at the platform': sql`
      select h.number as broken from invoice_handovers h join accounts a on a.id = h.account_id
      where a.live_account_id is not null`,
  });
}
