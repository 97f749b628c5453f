import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { mentions, type Subject } from './subject.ts';

export type Row = Record<string, unknown>;
/** Rows by the name of their table; those of partitions by the partitioned one. */
export type Found = Record<string, Row[]>;

export interface ShipmentRef {
  accountId: string;
  shipmentId: string;
}

const PAGES_AT_ONCE = 4_096; // of 8 KiB

/**
 * Finds every row of every table that mentions the subject. Scans the whole database, some thousand pages at a time: the
 * request is rare, and tables that are added later are included automatically.
 */
export async function findPerson(
  db: Database,
  subject: Subject,
  onProgress: (table: string, share: number) => void = () => {},
): Promise<Found> {
  const { rows: tables } = await sql<{ name: string; part: string; pages: number }>`
    select coalesce(parent.relname, c.relname) as name, c.oid::regclass::text as part,
           (pg_relation_size(c.oid) / 8192)::int as pages
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class parent on parent.oid = i.inhparent
    where c.relnamespace in ('public'::regnamespace, 'partitions'::regnamespace) and c.relkind = 'r'
      and c.relname not like 'kysely%' order by 1, 2`.execute(db);
  const found: Found = {};
  for (const { name, part, pages } of tables) {
    for (let page = 0; page <= pages; page += PAGES_AT_ONCE) {
      const rows = await findInPages(db, subject, part, page);
      if (rows.length > 0) found[name] = [...(found[name] ?? []), ...rows];
      onProgress(name, Math.min(1, (page + PAGES_AT_ONCE) / Math.max(pages, 1)));
    }
  }
  return found;
}

/** PostgreSQL preselects rows; `mentions` decides. */
async function findInPages(db: Database, subject: Subject, part: string, page: number): Promise<Row[]> {
  const condition =
    subject.kind === 'email'
      ? sql`position(${subject.value} in lower(t::text)) > 0`
      : sql`position(${subject.value.slice(-8)} in translate(t::text, ${SEPARATORS}, '')) > 0`;
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) as row from ${sql.raw(part)} t
    where t.ctid >= ${`(${page},0)`}::tid and t.ctid < ${`(${page + PAGES_AT_ONCE},0)`}::tid and ${condition}
  `.execute(db);
  return rows.map(({ row }) => row).filter((row) => mentions(subject, row));
}

const SEPARATORS = ' .-–/()\u00a0\u202f\t\r\n'; // between the digits of a phone number

/** The subject's shipments: those that mention the subject, and those that a found row belongs to. */
export function shipmentsIn(found: Found): ShipmentRef[] {
  const refs = Object.entries(found).flatMap(([table, rows]) =>
    rows.flatMap((row) => {
      const shipmentId = table === 'shipments' ? row.id : row.shipment_id;
      return typeof shipmentId === 'string' ? { accountId: String(row.account_id), shipmentId } : [];
    }),
  );
  return [...new Map(refs.map((ref) => [ref.shipmentId, ref])).values()];
}
