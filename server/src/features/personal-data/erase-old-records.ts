import { ERASED, RECURRING_KEPT_DAYS } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { endRecurring } from './erase-recurring.ts';
import { daysBefore, SECURITY_LOG_KEPT_DAYS } from './retention.ts';

const RECEIPT_KEPT_DAYS = 5 * 365; // limitation period (Code civil, art. 2224)
const ACTS_AT_ONCE = 10_000; // per account and run

/**
 * Erases records outside shipments: imports, whose file names members chose; recurring shipments that have ended, or were
 * paused for as long as a shipment is kept; saved addresses that were not used for as long; former drivers and members; entries of security logs; receipts. Returns the
 * number of rows of each.
 */
export async function eraseOldRecords(db: Database, retentionDays: number, now: Date): Promise<Record<string, number>> {
  const before = daysBefore(now, retentionDays);
  const ofClosedAccounts = sql`select id from accounts where closed_at < ${before} and moved_to is null`;
  const statements: Record<string, RawBuilder<unknown>> = {
    imports: sql`delete from imports i where erased_at is not null and created_at < ${before} and ${servedHere('i.account_id')}`,
    recurring: sql`
      update recurring_schedules r set ${endRecurring(now)}
      where request is not null and ${servedHere('r.account_id')} and (ended_at < ${daysBefore(now, RECURRING_KEPT_DAYS)}
        or (state = 'paused' and updated_at < ${before}) or account_id in (${ofClosedAccounts}))`,
    savedAddresses: sql`
      delete from saved_addresses s
      where (used_at < ${before} or account_id in (${ofClosedAccounts})) and ${servedHere('s.account_id')}`,
    // The id stays, since ended shipments reference it.
    drivers: sql`
      with keys as (
        delete from name_keys where subject_id in (
          select id from drivers where disabled_at < ${before} and personal_data_erased_at is null)),
      papers as (
        delete from driver_documents where driver_id in (
          select id from drivers where disabled_at < ${before} and personal_data_erased_at is null))
      update drivers set first_name = ${ERASED}, last_name = ${ERASED}, phone_number = ${ERASED}, email = null,
        picture_url = null, rating = null, password_hash = null, personal_data_erased_at = ${now}
      where disabled_at < ${before} and personal_data_erased_at is null`,
    members: sql`delete from members where account_id in (${ofClosedAccounts})`,
    invitations: sql`delete from member_invitations where account_id in (${ofClosedAccounts})`,
    keys: sql`
      update api_keys set created_by = null, created_by_id = null, created_by_email = null,
        revoked_by = null, revoked_by_email = null
      where account_id in (${ofClosedAccounts})
        and num_nonnulls(created_by, created_by_id, created_by_email, revoked_by, revoked_by_email) > 0`,
    // Ids increase with time, so the oldest entries of an account come first in the primary key.
    securityLog: sql`
      delete from member_acts where ctid = any(array(
        select old.ctid from accounts a
        cross join lateral (
          select ctid from member_acts t
          where t.account_id = a.id and a.moved_to is null
            and t.id < ${firstIdAt(daysBefore(now, SECURITY_LOG_KEPT_DAYS))}::uuid
            and t.at <= now() - interval '1095 days' -- the trigger uses this clock
          order by t.id limit ${ACTS_AT_ONCE}
        ) old))`,
    receipts: sql`
      delete from erasure_receipts r where at < ${daysBefore(now, RECEIPT_KEPT_DAYS)}
        and not exists (select from erasure_requests q where q.receipt_id = r.id)`,
  };
  const counts: Record<string, number> = {};
  for (const [what, statement] of Object.entries(statements)) {
    counts[what] = Number((await statement.execute(db)).numAffectedRows ?? 0);
  }
  return counts;
}
