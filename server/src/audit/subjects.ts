import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { auditDriverLedgers } from '../features/driver-pay/index.ts';
import { auditSeries } from '../features/invoices/index.ts';
import { auditOperatorActs } from '../features/staff/index.ts';
import { type AuditSettings, auditAccounts, auditKeys } from './audit-everything.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { sliceOf } from './slice.ts';

/** Entries of the log of acts in one part. */
const ACTS_PER_PART = 10_000;
/** Pages of the table of idempotency keys in one part: about 40,000 keys. */
const PAGES_PER_PART = 500;

/** The subjects of the nightly audit, and about how many rows each has. */
export const SUBJECTS = sql<{ kind: SubjectKind; subject: string; size: number }>`
  select 'account' as kind, a.id::text as subject, coalesce(c.last_shipment, 0)::int8 as size
  from accounts a left join account_counters c on c.account_id = a.id
  union all
  select 'driver', d.id::text, coalesce(b.last_entry, 0) from drivers d left join driver_balances b on b.driver_id = d.id
  union all
  select 'series', series, last_number from invoice_series
  union all
  select 'keys', part::text, ${PAGES_PER_PART * 20}::int8
  from generate_series(0, pg_relation_size('idempotency_keys') / ${PAGES_PER_PART * 8192}) part
  union all
  select 'acts', part::text, ${ACTS_PER_PART}::int8
  from generate_series(0, (select coalesce(max(greatest(number - 1, 0)), 0) / ${ACTS_PER_PART} from operator_act_head)) part`;

export type SubjectKind = 'account' | 'driver' | 'series' | 'keys' | 'acts';

type AuditSome = (db: Database, subjects: string[], settings: AuditSettings, now: Date) => Promise<AuditFinding[]>;

/** Audits some subjects of a kind, with the same checks as the audit of everything. */
export const AUDIT_SOME: Readonly<Record<SubjectKind, AuditSome>> = {
  async account(db, ids, settings, now) {
    const ofAccounts = sql`account_id = any(${ids}::uuid[])`;
    const tables = await tablesOfAccounts(db);
    const slice = Object.fromEntries(tables.map((name) => [name, ofAccounts]));
    return auditAccounts(sliceOf(db, { ...slice, accounts: sql`id = any(${ids}::uuid[])` }), settings, now);
  },
  driver(db, ids) {
    const ofDrivers = sql`driver_id = any(${ids}::uuid[])`;
    return auditDriverLedgers(sliceOf(db, { driver_ledger_entries: ofDrivers, driver_balances: ofDrivers }));
  },
  series(db, names) {
    const ofSeries = sql`series = any(${names}::text[])`;
    return auditSeries(sliceOf(db, { invoices: ofSeries, invoice_series: ofSeries }));
  },
  keys: (db, parts) =>
    inParts(parts, (part) => {
      const [from, before] = [part, part + 1].map((at) => sql`${`(${at * PAGES_PER_PART},0)`}::tid`);
      return auditKeys(sliceOf(db, { idempotency_keys: sql`ctid >= ${from} and ctid < ${before}` }));
    }),
  acts: (db, parts) =>
    inParts(parts, (part) =>
      auditOperatorActs(db, { first: part * ACTS_PER_PART + 1, last: (part + 1) * ACTS_PER_PART }),
    ),
};

/** Tables and views whose rows belong to one account each. */
async function tablesOfAccounts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id'`.execute(db);
  return rows.map(({ name }) => name);
}

async function inParts(parts: string[], audit: (part: number) => Promise<AuditFinding[]>): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const part of parts) findings.push(...(await audit(Number(part))));
  return findings;
}
