import type { InvoiceDocument } from '../src/features/invoices/read-invoices.ts';
import { type GrossLine, splitGross, splitLines } from '../src/features/invoices/vat.ts';
import { createTestIssuer } from './invoicing.ts';

/** An invoice of October 2026 with these lines, as the database returns it. */
export function sampleInvoice(lines: GrossLine[], given: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const vatBasisPoints = given.vatBasisPoints ?? 2_000;
  const grossCents = lines.reduce((sum, line) => sum + line.grossCents, 0);
  return {
    accountId: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
    number: 'F2026-000123',
    kind: 'invoice',
    reason: 'monthly',
    month: '2026-10',
    corrects: null,
    correctsIssuedOn: null,
    replaces: null,
    note: null,
    issuedOn: '2026-11-01',
    dueOn: '2026-12-01',
    language: 'fr',
    seller: createTestIssuer().seller,
    buyer: {
      name: 'Fleurs & Cie <SARL>',
      street: '1 rue de Rivoli',
      postalCode: '75001',
      city: 'Paris',
      country: 'FR',
      siren: '552100554',
      vatId: 'FR09552100554',
    },
    lines: splitLines(lines, vatBasisPoints),
    vatBasisPoints,
    ...splitGross(grossCents, vatBasisPoints),
    grossCents,
    paidCents: 0,
    handover: null,
    statusCode: null,
    statusAt: null,
    ...given,
  };
}
