import Type, { type Static } from 'typebox';
import { InvoiceSummary } from '../dashboard/invoices.ts';
import { Closed, Cursor, File, Id, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';

const ConsoleInvoice = Closed(
  {
    ...InvoiceSummary.properties,
    month: Type.String({ examples: ['2026-10'], description: 'The month whose ledger entries it contains.' }),
    merchant: Closed({ id: Id('The account.'), name: Type.String({ description: 'The buyer, as on the invoice.' }) }),
  },
  { title: 'ConsoleInvoice' },
);
export type ConsoleInvoice = Static<typeof ConsoleInvoice>;

export const consoleInvoiceEndpoints = defineConsoleEndpoints({
  listConsoleInvoices: {
    section: 'Invoices',
    summary: 'List invoices and credit notes of all merchants, newest first',
    query: Type.Object({
      month: Type.Optional(
        Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', maxLength: 7, description: 'Of this month only.' }),
      ),
      account: Type.Optional(Type.String({ maxLength: 36, description: 'Of this account only.' })),
      state: Type.Optional(
        OneOf(['due', 'settled', 'credit_note'], {
          description: '`due`: not wholly paid when its month ended; `settled`: paid by then.',
        }),
      ),
      cursor: Cursor,
    }),
    answers: {
      200: Closed({ success: Success, invoices: Type.Array(ConsoleInvoice), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'money',
  },
  readConsoleInvoicePdf: {
    section: 'Invoices',
    summary: 'Download an invoice or credit note (PDF/A-3 with Factur-X)',
    params: Type.Object({ number: Type.String({ examples: ['F2026-000123'] }) }),
    answers: { 200: File('application/pdf') },
    needs: 'money',
    findsOne: true,
  },
});
