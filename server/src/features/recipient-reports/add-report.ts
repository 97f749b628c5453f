import { randomUUIDv7 } from 'node:crypto';
import type { ReportKind } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { tidyText } from '../../text/tidy-text.ts';

export const MAX_REPORT_CHARACTERS = 500;
export const MAX_REPORTS = 3; // of a shipment: a recipient who wrote three times calls

interface NewReport {
  kind: ReportKind;
  message: string;
}

/**
 * Reports a problem with a shipment that has ended. A second report while one is open changes nothing, and so does one
 * above the limit. The lock waits for an erasure under way. Across accounts: the signed link is the permission.
 */
export async function saveReportForTokenHolder(
  db: Database,
  shipmentId: string,
  { kind, message }: NewReport,
  now: Date,
): Promise<void> {
  const text = tidyText(message, MAX_REPORT_CHARACTERS);
  if (kind === 'other' && text === '') return; // says nothing
  await sql`
    insert into recipient_reports (account_id, id, shipment_id, kind, message, reported_at)
    select s.account_id, ${randomUUIDv7()}, s.id, ${kind}, ${text === '' ? null : text}, ${now} from shipments s
    where s.id = ${shipmentId} and coalesce(s.delivered_at, s.cancelled_at) is not null
      and s.personal_data_erased_at is null
      and (select count(*) from recipient_reports r
           where (r.account_id, r.shipment_id) = (s.account_id, s.id)) < ${MAX_REPORTS}
    for share of s
    on conflict (account_id, shipment_id) where closed_at is null do nothing`.execute(db);
}
