import Type, { type Static } from 'typebox';
import { Closed, Cursor, Euros, File, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES } from './roles.ts';

const PLATFORM_STATUSES = [
  'deposited',
  'received',
  'available',
  'taken_over',
  'approved',
  'partly_approved',
  'disputed',
  'suspended',
  'refused',
  'payment_sent',
  'paid',
  'rejected',
  'other',
] as const;

const Line = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description });

const fields = {
  name: Nullable(Line('Company on invoices; null: the account’s name.')),
  street: Nullable(Line('Null: the pickup address is the address on invoices.')),
  postalCode: Nullable(Line('Postal code of that address.')),
  city: Nullable(Line('Town of that address.')),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166, two letters.', examples: ['FR'] }),
  siren: Nullable(Type.String({ pattern: '^\\d{9}$', description: 'Nine digits; French companies only.' })),
  vatId: Nullable(
    Type.String({ pattern: '^[A-Z]{2}[A-Z0-9]{2,13}$', description: 'VAT number.', examples: ['FR40303265045'] }),
  ),
  language: OneOf(LANGUAGES, { description: 'Language of invoices and statements.' }),
};

const BillingDetails = Closed(fields, { title: 'BillingDetails' });
export type BillingDetails = Static<typeof BillingDetails>;
export const BillingDetailsInput = Type.Partial(Type.Object(fields), { additionalProperties: false });
const BillingDetailsAnswer = Closed({ success: Success, details: BillingDetails });

export const InvoiceSummary = Closed(
  {
    number: Type.String({ examples: ['F2026-000123'] }),
    kind: OneOf(['invoice', 'credit_note']),
    reason: OneOf(['monthly', 'replacement', 'refunds', 'reversal']),
    corrects: Nullable(Type.String({ description: 'The invoice that a credit note reduces.' })),
    issuedOn: Type.String({ format: 'date' }),
    dueOn: Nullable(Type.String({ format: 'date', description: 'Null when nothing is due.' })),
    net: Euros(),
    vat: Euros(),
    gross: Euros({ description: 'The amount of the ledger, which includes VAT.' }),
    due: Euros({ description: 'What was not paid when the month ended.' }),
    platform: Nullable(
      Closed(
        {
          state: OneOf(['waiting', 'handed_over', 'failed'], {
            description: '`failed`: the platform refused the request, and the operator must look at it.',
          }),
          status: Nullable(OneOf(PLATFORM_STATUSES, { description: 'The latest status there; null: none yet.' })),
          at: Nullable(Instant({ description: 'Since when it has this status.' })),
        },
        { description: 'At the certified platform; null when invoices are handed to none.' },
      ),
    ),
  },
  { title: 'InvoiceSummary' },
);
export type InvoiceSummary = Static<typeof InvoiceSummary>;

const Month = Type.String({ examples: ['2026-10'] });

const BillingMonth = Closed(
  {
    month: Month,
    openingBalance: Euros(),
    closingBalance: Euros(),
    documents: Type.Array(InvoiceSummary, { description: 'Empty for a month without charges.' }),
  },
  { title: 'BillingMonth' },
);
export type BillingMonth = Static<typeof BillingMonth>;

const StatementParams = Type.Object({ month: Month });

export const invoiceEndpoints = defineEndpoints({
  readBillingDetails: {
    section: 'Account',
    summary: 'Read the buyer’s details on invoices',
    answers: { 200: BillingDetailsAnswer },
    needs: 'read',
  },
  changeBillingDetails: {
    section: 'Account',
    summary: 'Change the buyer’s details on invoices',
    description: 'Fields that are absent stay as they are; null removes one. Issued invoices do not change.',
    body: BillingDetailsInput,
    answers: { 200: BillingDetailsAnswer },
    needs: 'own',
  },
  listInvoices: {
    section: 'Account',
    summary: 'List closed months with their invoices and credit notes, newest first',
    query: Type.Object({ cursor: Cursor }),
    answers: {
      200: Closed({ success: Success, months: Type.Array(BillingMonth), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'read',
  },
  readInvoicePdf: {
    section: 'Account',
    summary: 'Download an invoice or credit note (PDF/A-3 with Factur-X)',
    params: Type.Object({ number: Type.String() }),
    answers: { 200: File('application/pdf') },
    needs: 'read',
  },
  readStatementPdf: {
    section: 'Account',
    summary: 'Download the statement of a closed month',
    params: StatementParams,
    answers: { 200: File('application/pdf') },
    needs: 'read',
  },
  exportStatement: {
    section: 'Account',
    summary: 'Stream the ledger entries of a closed month as CSV',
    params: StatementParams,
    query: Type.Object({ language: Type.Optional(OneOf(LANGUAGES, { default: 'fr' })) }),
    answers: { 200: File('text/csv') },
    needs: 'read',
  },
});
