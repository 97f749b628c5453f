import type { Payment } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { toEuros } from '../ledger/index.ts';

export interface PaymentRow {
  id: string;
  accountId: string;
  method: Payment['method'];
  status: Payment['status'];
  amountCents: number;
  sessionId: string | null;
  intentId: string | null;
  /** A Checkout session that stores the method for automatic payments. */
  storesMethod: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`
  p.id, p.account_id as "accountId", p.method, p.status, p.amount_cents as "amountCents", p.session_id as "sessionId",
  p.intent_id as "intentId", p.stores_method as "storesMethod", p.created_at as "createdAt", p.updated_at as "updatedAt"`;

export interface ShownPayment
  extends Pick<PaymentRow, 'id' | 'method' | 'status' | 'amountCents' | 'createdAt' | 'updatedAt'> {
  refundedCents: number;
}

/** The amount asked for, or the one that a person credited after a review. */
export const SHOWN_AMOUNT = sql`
  (case when p.reviewed_at is null then p.amount_cents else p.received_cents end) as "amountCents"`;

/** Refunds and disputes of the payment `p`, less the money that came back. */
export const REFUNDED = sql`
  (select coalesce(-sum(m.amount_cents), 0)::bigint from payment_movements m
   where m.payment_id = p.id and m.kind <> 'received') as "refundedCents"`;

const SHOWN = sql`
  select p.id, p.method, p.status, ${SHOWN_AMOUNT}, ${REFUNDED}, p.created_at as "createdAt", p.updated_at as "updatedAt"
  from payments p`;

const LISTED = 50;

export async function listPayments(db: Database, accountId: string): Promise<Payment[]> {
  const { rows } = await sql<ShownPayment>`
    ${SHOWN} where p.account_id = ${accountId} order by p.created_at desc, p.id desc limit ${LISTED}`.execute(db);
  return rows.map(presentPayment);
}

export async function readPayment(db: Database, accountId: string, id: string): Promise<Payment | null> {
  const { rows } = await sql<ShownPayment>`${SHOWN} where p.account_id = ${accountId} and p.id = ${id}`.execute(db);
  return rows[0] ? presentPayment(rows[0]) : null;
}

export const presentPayment = (row: ShownPayment): Payment => ({
  id: row.id,
  method: row.method,
  status: row.status,
  amount: toEuros(row.amountCents),
  refunded: toEuros(row.refundedCents),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A payment of any account, by a key that Stripe gave back. Locked when a transaction asks. */
export async function findAnyPayment(
  db: Database | Tx,
  by: { id: string } | { intentId: string },
  lock = false,
): Promise<PaymentRow | null> {
  const condition = 'id' in by ? sql`p.id = ${by.id}` : sql`p.intent_id = ${by.intentId}`;
  const { rows } = await sql<PaymentRow>`
    select ${COLUMNS} from payments p where ${condition} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0] ?? null;
}
