import type { ConsolePayment } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { toEuros } from '../ledger/index.ts';
import { presentPayment, REFUNDED, SHOWN_AMOUNT, type ShownPayment } from './payment-rows.ts';

const PAGE = 50;

interface PaymentFilter {
  id?: string | undefined;
  status?: string | undefined;
  account?: string | undefined;
  cursor?: string | undefined;
}

interface Row extends ShownPayment {
  merchantId: string;
  merchant: string;
  failure: string | null;
  bankId: string | null;
  receivedOn: string | null;
  providerId: string | null;
  recordedBy: string | null;
  receivedCents: number | null;
  receivedCurrency: string | null;
}

/** Payments of all accounts, newest first. `staffId` is the person who asks. */
export async function listAnyPayments(
  db: Database,
  { id, status, account, cursor }: PaymentFilter,
  staffId: string | null,
): Promise<{ payments: ConsolePayment[]; nextCursor: string | null }> {
  const isUnknown = [id, account, cursor].some((value) => value !== undefined && !isUuid(value));
  if (isUnknown) return { payments: [], nextCursor: null };
  const conditions = [
    sql`true`,
    ...(id ? [sql`p.id = ${id}`] : []),
    ...(status ? [sql`p.status = ${status}`] : []),
    ...(account ? [sql`p.account_id = ${account}`] : []),
    ...(cursor ? [sql`(p.created_at, p.id) < (select c.created_at, c.id from payments c where c.id = ${cursor})`] : []),
  ];
  const { rows } = await sql<Row>`
    select p.id, p.method, p.status, ${SHOWN_AMOUNT}, ${REFUNDED}, p.created_at as "createdAt",
      p.updated_at as "updatedAt", a.id as "merchantId", a.name as merchant, p.failure, p.bank_id as "bankId",
      p.received_on::text as "receivedOn", coalesce(p.intent_id, p.session_id) as "providerId",
      p.recorded_by as "recordedBy", p.received_cents as "receivedCents", p.received_currency as "receivedCurrency"
    from payments p join accounts a on a.id = p.account_id
    where ${sql.join(conditions, sql` and `)}
    order by p.created_at desc, p.id desc limit ${PAGE + 1}`.execute(db);
  const page = rows.slice(0, PAGE);
  return {
    payments: page.map((row) => present(row, staffId)),
    nextCursor: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}

const present = (row: Row, staffId: string | null): ConsolePayment => ({
  ...presentPayment(row),
  merchant: { id: row.merchantId, name: row.merchant },
  failure: row.failure,
  bankId: row.bankId,
  receivedOn: row.receivedOn,
  providerId: row.providerId,
  received:
    row.receivedCents === null || row.receivedCurrency === null
      ? null
      : { amount: toEuros(row.receivedCents), currency: row.receivedCurrency.toUpperCase() },
  isOwn: row.recordedBy !== null && row.recordedBy === staffId,
});
