import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type Found, findPerson, type Row, type ShipmentRef, shipmentsIn } from './find-person.ts';
import type { Subject } from './subject.ts';

export interface PersonExport {
  subject: Subject;
  madeAt: string;
  /** Rows about the person, by table. */
  held: Found;
  /** Rows that `person erase` does not erase, and how they are removed. */
  endsOtherwise: { table: string; id: string; how: string }[];
}

/** Exports all data about a person (GDPR, art. 15), except credentials: hashes, codes and keys. */
export async function exportPerson(
  db: Database,
  subject: Subject,
  now: Date,
  onProgress?: (table: string, share: number) => void,
): Promise<PersonExport> {
  const found = await findPerson(db, subject, onProgress);
  const held: Found = { ...found };
  for (const [table, rows] of Object.entries(await readRelated(db, shipmentsIn(found)))) {
    if (rows.length > 0) held[table] = rows;
  }
  const shown = Object.entries(held).map(([table, rows]) => [table, rows.map(withoutSecrets)]);
  return { subject, madeAt: now.toISOString(), held: Object.fromEntries(shown), endsOtherwise: endsOtherwise(found) };
}

/** Rows that belong to the person's shipments without containing the searched address or number. */
async function readRelated(db: Database, shipments: ShipmentRef[]): Promise<Found> {
  const related: Found = {};
  for (const { accountId, shipmentId } of shipments) {
    for (const [table, condition] of RELATED) {
      const { rows } = await sql<{ row: Row }>`
        select to_jsonb(t) as row from ${sql.id(table)} t
        where t.account_id = ${accountId} and ${condition(shipmentId)}`.execute(db);
      related[table] = [...(related[table] ?? []), ...rows.map(({ row }) => row)];
    }
  }
  return related;
}

/** Two indexes cover the events: one for the creation, one for later events. */
const RELATED: [table: string, condition: (shipmentId: string) => RawBuilder<unknown>][] = [
  ['shipments', (id) => sql`t.id = ${id}`],
  ['events', (id) => sql`t.shipment_id = ${id} and t.type = 'shipping.created'`],
  ['events', (id) => sql`t.shipment_id = ${id} and t.type <> 'shipping.created'`],
  ['messages', (id) => sql`t.shipment_id = ${id}`],
  ['dispatch_decisions', (id) => sql`t.shipment_id = ${id}`],
  ['incidents', (id) => sql`t.shipment_id = ${id}`],
  ['recipient_notes', (id) => sql`t.shipment_id = ${id}`],
  ['recipient_reports', (id) => sql`t.shipment_id = ${id}`],
  ['proofs', (id) => sql`t.shipment_id = ${id}`],
];

const SECRETS =
  /^(\w+_hash|sealed_\w+|\w*secret\w*|second_factor_key|last_code_step|delivery_code|label_suffix|file_name)$/;

const withoutSecrets = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !SECRETS.test(column)));

/** Tables that the erasure of shipments and import lines covers. */
const ERASED_WITH_SHIPMENTS = [
  'shipments',
  'events',
  'messages',
  'dispatch_decisions',
  'incidents',
  'recipient_notes',
  'recipient_reports',
  'proofs',
  'import_lines',
  'recurring_schedules',
  'saved_addresses',
  'idempotency_keys',
  'shipment_keys',
];

const HOW_OTHERS_END: Record<string, (row: Row) => string> = {
  drivers: ({ id }) =>
    `navette driver disable ${String(id)}: name, number and e-mail are erased SHIPMENT_RETENTION_DAYS later`,
  members: ({ account_id: account, email }) => `navette account remove-member ${String(account)} ${String(email)}`,
  member_invitations: () => 'deleted 30 days after it ran out, or when an owner withdraws it in the dashboard',
  member_acts: () => 'security log of the account: docs/privacy.md says how long it is kept',
  accounts: ({ id }) => `contact of a merchant: navette account update ${String(id)} --input - with another email`,
  name_keys: () => 'search key, removed with the name of the merchant or driver',
  webhook_attempts: () => 'deleted 30 days after the event',
  ledger_entries: () => 'accounting record, kept for ten years and never changed',
};

export const endsOtherwise = (found: Found): PersonExport['endsOtherwise'] =>
  Object.entries(found)
    .filter(([table]) => !ERASED_WITH_SHIPMENTS.includes(table))
    .flatMap(([table, rows]) =>
      rows.map((row) => ({
        table,
        id: String(row.id ?? row.account_id ?? row.subject_id),
        how: HOW_OTHERS_END[table]?.(row) ?? 'docs/privacy.md says how long this table is kept',
      })),
    );
