import { ERASED, IMPORT_KEPT_DAYS, RECURRING_KEPT_DAYS } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { COMMANDS_KEPT_DAYS } from '../drivers/index.ts';
import { GEOCODED_KEPT_DAYS } from '../geocoding/index.ts';
import { ENDED_AT } from './erase-shipments.ts';
import { daysBefore, erasedBefore, type Retention, SECURITY_LOG_KEPT_DAYS } from './retention.ts';

const LATE_DAYS = 2; // the jobs run hourly or daily; a longer delay means that they do not run

type Checks = Record<string, RawBuilder<{ broken: string }>>;

/** Checks that personal data of accounts is erased in time and completely. Read-only. */
export const auditPersonalData = (db: Database, retention: Retention, now: Date): Promise<AuditFinding[]> =>
  findBrokenRows(db, checksOfAccounts(retention, now));

/** The same, of data that belongs to no account. */
export const auditOtherPersonalData = (db: Database, retention: Retention, now: Date): Promise<AuditFinding[]> =>
  findBrokenRows(db, checksOfInstallation(retention, now));

/** The same, of idempotency keys, which are not found by account. */
export const auditErasedKeys = (db: Database): Promise<AuditFinding[]> => findBrokenRows(db, CHECKS_OF_KEYS);

const ANY_RETENTION = { shipmentRetentionDays: 0, deliveryCodeRetentionDays: 0, messageRetentionDays: 0 };

/** Whether an invariant is one of those above. */
export const isAboutPersonalData = (invariant: string): boolean =>
  [checksOfAccounts(ANY_RETENTION, new Date(0)), checksOfInstallation(ANY_RETENTION, new Date(0)), CHECKS_OF_KEYS].some(
    (checks) => Object.hasOwn(checks, invariant),
  );

function checksOfAccounts(retention: Retention, now: Date): Checks {
  const { shipmentRetentionDays, deliveryCodeRetentionDays, messageRetentionDays } = retention;
  const due = daysBefore(now, LATE_DAYS);
  const overdue = (days: number) => daysBefore(due, days);
  return {
    'a delivery code goes in time after the shipment has ended, and never before': sql`
      select s.id::text as broken from shipments s join accounts a on a.id = s.account_id
      where (s.delivery_code is not null and ${ENDED_AT} < ${erasedBefore(due, deliveryCodeRetentionDays)})
        or (s.delivery_code is null and ${ENDED_AT} is null)`,
    'nothing of a shipment names a person longer than its retention': sql`
      select s.id::text as broken from shipments s join accounts a on a.id = s.account_id
      where s.personal_data_erased_at is null and ${ENDED_AT} < ${erasedBefore(due, shipmentRetentionDays)}`,
    'a shipment ends, or changes at least, within the retention: cancel it or confirm its delivery': sql`
      select s.id::text as broken from shipments s join accounts a on a.id = s.account_id
      where ${ENDED_AT} is null and s.updated_at < ${erasedBefore(due, shipmentRetentionDays)}`,
    'an erased shipment holds nothing of a person': sql`
      select s.id::text as broken from shipments s
      where s.personal_data_erased_at is not null and (
        ${ENDED_AT} is null
        or num_nonnulls(s.notes, s.group_reference, s.order_id, s.shop_domain, s.external_reference_extra,
             s.collection_contact, s.delivery_code, s.cancel_reason, s.cancelled_by) > 0
        or s.nature <> ${ERASED} or s.delivery_reason <> ${ERASED} or s.metadata::text <> '{}'
        or s.pickup_address->>'street' <> ${ERASED} or s.pickup_address->>'location' is not null
        or s.delivery_address->>'coordinates' is not null
        or ${ERASED} <> any(array[s.delivery_address->>'recipientName', s.delivery_address->>'street',
          s.delivery_address->>'phoneNumber', s.delivery_address->>'email']))`,
    'what was erased with a shipment is in no other table': sql`
      select s.id || ' in ' || kept.place as broken
      from (
        select account_id, shipment_id, 'events' as place from events where body is not null
        union all select account_id, shipment_id, 'messages' from messages where erased_at is null
        union all select account_id, shipment_id, 'dispatch_decisions' from dispatch_decisions
          where details->>'reason' <> ${ERASED}
        union all select account_id, shipment_id, 'incidents' from incidents
          where num_nonnulls(note, latitude, longitude) > 0 or resolution_reason <> ${ERASED} or left_with <> ${ERASED}
        union all select account_id, shipment_id, 'recipient_notes' from recipient_notes
        union all select account_id, shipment_id, 'recipient_reports' from recipient_reports
        union all select account_id, shipment_id, 'proofs' from proofs
      ) kept
      join shipments s on (s.account_id, s.id) = (kept.account_id, kept.shipment_id)
      where s.personal_data_erased_at is not null
      union all
      select s.id || ' in shipment_keys' from shipment_keys k
      join shipments s on (s.account_id, s.number) = (k.account_id, -k.newest_first)
      where k.field in (0, 2, 4) and s.personal_data_erased_at is not null
      union all
      select s.id || ' in driver_commands' from driver_commands c join shipments s on s.id = c.shipment_id
      where num_nonnulls(c.latitude, c.longitude) > 0 and s.personal_data_erased_at is not null`,
    'a person who asked to be erased is, once their shipments have ended': sql`
      select s.id::text as broken from erasure_requests r
      join shipments s on (s.account_id, s.id) = (r.account_id, r.shipment_id) where ${ENDED_AT} < ${due}`,
    'no message keeps its recipient and text longer than MESSAGE_RETENTION_DAYS': sql`
      select id::text as broken from messages where erased_at is null and created_at < ${overdue(messageRetentionDays)}`,
    'no saved address is kept longer than a shipment after its last use': sql`
      select id::text as broken from saved_addresses where used_at < ${overdue(shipmentRetentionDays)}`,
    'no import keeps its lines longer than 30 days': sql`
      select id::text as broken from imports where erased_at is null and created_at < ${overdue(IMPORT_KEPT_DAYS)}`,
    'no answer of a webhook is kept longer than 30 days': sql`
      select distinct event_id::text as broken from webhook_attempts
      where event_id < ${firstIdAt(overdue(LOGS_KEPT_DAYS))}::uuid`,
    'a recurring shipment that has ended is forgotten after 30 days': sql`
      select id::text as broken from recurring_schedules
      where request is not null and ended_at < ${overdue(RECURRING_KEPT_DAYS)}`,
    'nobody is a member of an account that was closed longer ago than the retention': sql`
      select m.id::text as broken from members m join accounts a on a.id = m.account_id
      where a.closed_at < ${overdue(shipmentRetentionDays)}`,
    'no entry of a security log is kept longer than three years': sql`
      select id::text as broken from member_acts where at < ${overdue(SECURITY_LOG_KEPT_DAYS)}`,
  };
}

/** Of tables that are not about one account. Each holds some days only, or is small. */
function checksOfInstallation(retention: Retention, now: Date): Checks {
  const due = daysBefore(now, LATE_DAYS);
  const overdue = (days: number) => daysBefore(due, days);
  return {
    'the label of an erased shipment is deleted': sql`
      select split_part(file_name, '_', 2) as broken from label_files_to_delete where erased_at < ${due}`,
    'photos and signatures of an erased shipment are deleted': sql`
      select file_name as broken from proof_files_to_delete where delete_after < ${due}`,
    'no answer of the geocoder is kept longer than 180 days': sql`
      select encode(address_hash, 'hex') as broken from geocoded_addresses where found_at < ${overdue(GEOCODED_KEPT_DAYS)}`,
    'no command of a driver is kept longer than 90 days': sql`
      select driver_id || ' ' || command_id as broken from driver_commands
      where received_at < ${overdue(COMMANDS_KEPT_DAYS)}`,
    'a driver who left is forgotten after the retention': sql`
      select id::text as broken from drivers
      where disabled_at < ${overdue(retention.shipmentRetentionDays)} and personal_data_erased_at is null`,
  };
}

const CHECKS_OF_KEYS: Checks = {
  'the idempotency key of an erased shipment is a hash': sql`
    select s.id::text as broken from idempotency_keys k
    join shipments s on (s.account_id, s.id) = (k.account_id, k.shipment_id)
    where k.key not like ' sha256:%' and s.personal_data_erased_at is not null`,
};
