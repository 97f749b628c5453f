import type { BillingMonth, InvoiceSummary, Language } from '@navette/contract';
import { sql } from 'kysely';
import { isMonth } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import type { InvoiceLine, InvoiceParty, InvoiceSeller } from '../../database/json-columns.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { toEuros } from '../ledger/index.ts';

/** An invoice or credit note as it was issued. */
export interface InvoiceDocument {
  accountId: string;
  number: string;
  kind: InvoiceSummary['kind'];
  reason: InvoiceSummary['reason'];
  month: string;
  corrects: string | null;
  /** When the corrected invoice was issued. */
  correctsIssuedOn: string | null;
  replaces: string | null;
  note: string | null;
  issuedOn: string;
  dueOn: string | null;
  language: Language;
  seller: InvoiceSeller;
  buyer: InvoiceParty;
  lines: InvoiceLine[];
  vatBasisPoints: number;
  netCents: number;
  vatCents: number;
  roundingCents: number;
  grossCents: number;
  paidCents: number;
  /** At the certified platform; null when it is handed to none. */
  handover: 'waiting' | 'handed_over' | 'failed' | null;
  /** The latest status there. */
  statusCode: number | null;
  statusAt: Date | null;
}

const DOCUMENT = sql`
  select i.account_id as "accountId", i.number, i.kind, i.reason, i.month, i.corrects, i.replaces, i.note,
         c.issued_on::text as "correctsIssuedOn", i.issued_on::text as "issuedOn", i.due_on::text as "dueOn",
         i.language, i.seller, i.buyer, i.lines, i.vat_basis_points as "vatBasisPoints", i.net_cents as "netCents",
         i.vat_cents as "vatCents", i.rounding_cents as "roundingCents", i.gross_cents as "grossCents",
         i.paid_cents as "paidCents", h.state as handover, s.code as "statusCode", s.at as "statusAt"
  from invoices i left join invoices c on (c.account_id, c.number) = (i.account_id, i.corrects)
  left join invoice_handovers h on (h.account_id, h.number) = (i.account_id, i.number)
  left join lateral (
    select code, at from invoice_statuses s where (s.account_id, s.number) = (i.account_id, i.number)
    order by at desc, code desc limit 1
  ) s on true`;

const NUMBER = /^[AF]\d{4}-\d{6,9}$/;

export async function readInvoice(db: Database, accountId: string, number: string): Promise<InvoiceDocument | null> {
  if (!NUMBER.test(number)) return null;
  const { rows } = await sql<InvoiceDocument>`
    ${DOCUMENT} where i.account_id = ${accountId} and i.number = ${number}`.execute(db);
  return rows[0] ?? null;
}

/** For the operator: by number, which is unique across accounts. */
export async function readAnyInvoice(db: Database, number: string): Promise<InvoiceDocument | null> {
  if (!NUMBER.test(number)) return null;
  const { rows } = await sql<InvoiceDocument>`${DOCUMENT} where i.number = ${number}`.execute(db);
  return rows[0] ?? null;
}

const MAX_LISTED = 1_000;

export interface InvoiceFilter {
  accountId?: string | undefined;
  month?: string | undefined;
  state?: 'due' | 'settled' | 'credit_note' | undefined;
  /** The number of the last document of the previous page. */
  after?: string | undefined;
}

/** As the index invoices_by_state has it. */
const STATE = sql`case when i.kind = 'credit_note' then 'credit_note' when i.due_on is null then 'settled' else 'due' end`;

/** For the operator: the latest documents, newest first. Only the conditions that are given, so that an index can serve each. */
export async function listAnyInvoices(
  db: Database,
  { accountId, month, state, after }: InvoiceFilter,
  limit = MAX_LISTED,
): Promise<InvoiceDocument[]> {
  if (after !== undefined && !NUMBER.test(after)) return [];
  const conditions = [
    sql`true`,
    ...(accountId ? [sql`i.account_id = ${accountId}`] : []),
    ...(month ? [sql`i.month = ${month}`] : []),
    ...(state ? [sql`${STATE} = ${state}`] : []),
    ...(after
      ? [sql`(i.issued_at, i.number) < (select a.issued_at, a.number from invoices a where a.number = ${after})`]
      : []),
  ];
  const { rows } = await sql<InvoiceDocument>`
    ${DOCUMENT} where ${sql.join(conditions, sql` and `)}
    order by i.issued_at desc, i.number desc limit ${limit}`.execute(db);
  return rows;
}

const MONTHS_PER_PAGE = 24;

/** Closed months, newest first, each with its documents. The entries before the first invoiced month are not among them. */
export async function listBillingMonths(
  db: Database,
  accountId: string,
  before: string | undefined,
): Promise<{ months: BillingMonth[]; nextCursor: string | null }> {
  if (before !== undefined && !isMonth(before)) {
    throw fieldErrors([{ type: 'field', msg: 'Curseur inconnu.', path: 'cursor', location: 'query' }]);
  }
  const periods = await db
    .selectFrom('billing_periods')
    .select(['month', 'opening_cents', 'closing_cents'])
    .where('account_id', '=', accountId)
    .where('is_invoiced', '=', true)
    .$if(before !== undefined, (query) => query.where('month', '<', before as string))
    .orderBy('month', 'desc')
    .limit(MONTHS_PER_PAGE + 1)
    .execute();
  const page = periods.slice(0, MONTHS_PER_PAGE);
  const { rows: documents } = await sql<InvoiceDocument>`
    ${DOCUMENT} where i.account_id = ${accountId} and i.month = any(${page.map(({ month }) => month)})
    order by i.issued_at, i.kind desc, i.number`.execute(db);
  const byMonth = Map.groupBy(documents, ({ month }) => month);
  return {
    months: page.map((period) => ({
      month: period.month,
      openingBalance: toEuros(period.opening_cents),
      closingBalance: toEuros(period.closing_cents),
      documents: (byMonth.get(period.month) ?? []).map(summarize),
    })),
    nextCursor: periods.length > MONTHS_PER_PAGE ? (page.at(-1)?.month ?? null) : null,
  };
}

export const summarize = (document: InvoiceDocument): InvoiceSummary => ({
  number: document.number,
  kind: document.kind,
  reason: document.reason,
  corrects: document.corrects,
  issuedOn: document.issuedOn,
  dueOn: document.dueOn,
  net: toEuros(document.netCents),
  vat: toEuros(document.vatCents),
  gross: toEuros(document.grossCents),
  due: toEuros(document.grossCents - document.paidCents),
  platform: platformOf(document),
});

/** By the numbers of the life cycle that French law defines. */
const STATUSES: Record<number, NonNullable<InvoiceSummary['platform']>['status']> = {
  200: 'deposited',
  202: 'received',
  203: 'available',
  204: 'taken_over',
  205: 'approved',
  206: 'partly_approved',
  207: 'disputed',
  208: 'suspended',
  210: 'refused',
  211: 'payment_sent',
  212: 'paid',
  213: 'rejected',
};

function platformOf({ handover, statusCode, statusAt }: InvoiceDocument): InvoiceSummary['platform'] {
  if (handover === null) return null;
  const status = statusCode === null ? null : (STATUSES[statusCode] ?? 'other');
  return { state: handover, status, at: statusAt?.toISOString() ?? null };
}
