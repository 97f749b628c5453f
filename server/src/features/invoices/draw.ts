import type { InvoiceDocument } from './read-invoices.ts';
import type { StatementContent } from './read-statement.ts';

/** Loaded with the first file: fonts take memory, and few processes draw any. */
export const drawInvoice = async (invoice: InvoiceDocument): Promise<Buffer> =>
  (await import('./invoice-pdf.ts')).invoicePdf(invoice);

export const drawStatement = async (statement: StatementContent, operator: string): Promise<Buffer> =>
  (await import('./statement-pdf.ts')).statementPdf(statement, operator);
