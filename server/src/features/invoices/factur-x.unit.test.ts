import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../test/en16931-rules.ts';
import { sampleInvoice } from '../../../test/invoice-sample.ts';
import { facturX } from './factur-x.ts';
import { invoicePdf } from './invoice-pdf.ts';

const LINES = [
  { day: '2026-10-05', shipments: 3, grossCents: 2_551 },
  { day: '2026-10-06', shipments: 1, grossCents: 852 },
];
const credit = {
  kind: 'credit_note',
  reason: 'refunds',
  corrects: 'F2026-000101',
  correctsIssuedOn: '2026-10-01',
} as const;

test('any invoice and credit note, at any rate, paid or not, follows the rules of EN 16931', () => {
  const line = fc.record({
    day: fc.constant('2026-10-05'),
    shipments: fc.integer({ min: 1, max: 5_000 }),
    grossCents: fc.integer({ min: 1, max: 5_000_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 31 }),
      fc.constantFrom(0, 550, 1_000, 2_000),
      fc.boolean(),
      fc.boolean(),
      (lines, vatBasisPoints, isCredit, isPaid) => {
        const gross = lines.reduce((sum, { grossCents }) => sum + grossCents, 0);
        const paid = isPaid || isCredit ? { paidCents: gross, dueOn: null } : {};
        expect(
          brokenRules(facturX(sampleInvoice(lines, { vatBasisPoints, ...paid, ...(isCredit ? credit : {}) }))),
        ).toEqual([]);
      },
    ),
  );
});

test.each([
  ['BR-CO-16', (xml: string) => xml.replace(/(<ram:DuePayableAmount>)[^<]+/, '$199.99')],
  ['BR-CO-15', (xml: string) => xml.replace(/(<ram:GrandTotalAmount>)[^<]+/, '$199.99')],
  ['BR-CO-10', (xml: string) => xml.replace(/(<ram:LineTotalAmount>)[^<]+/, '$199.99')],
  ['BR-CO-17', (xml: string) => xml.replace(/(<ram:CalculatedAmount>)[^<]+/, '$199.99')],
  ['BR-FR-05', (xml: string) => xml.replace('<ram:SubjectCode>PMT</ram:SubjectCode>', '')],
])('a changed invoice breaks %s', (rule, mutate) => {
  expect(brokenRules(mutate(facturX(sampleInvoice(LINES))))).toContain(rule);
});

test('texts of people are escaped, and characters that XML forbids are left out', () => {
  const buyer = { ...sampleInvoice(LINES).buyer, name: 'A & B <c>\u0000\u001f' };
  expect(facturX(sampleInvoice(LINES, { buyer }))).toContain('<ram:Name>A &amp; B &lt;c&gt;</ram:Name>');
});

test('a credit note names its invoice, an invoice without VAT the reason', () => {
  const xml = facturX(sampleInvoice(LINES, { ...credit, dueOn: null, paidCents: 3_403 }));
  expect(xml).toContain('<ram:TypeCode>381</ram:TypeCode>');
  expect(xml).toContain('<ram:IssuerAssignedID>F2026-000101</ram:IssuerAssignedID>');
  expect(facturX(sampleInvoice(LINES, { vatBasisPoints: 0 }))).toContain('art. 293 B du CGI');
});

test('the file declares PDF/A-3b and Factur-X, contains the data, and is the same each time', async () => {
  const invoice = sampleInvoice(LINES);
  const [pdf, again] = [await invoicePdf(invoice), await invoicePdf(invoice)];
  expect(pdf.equals(again)).toBe(true);
  const text = pdf.toString('latin1');
  for (const part of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
    '/AFRelationship /Alternative',
    '/OutputIntents',
  ])
    expect(text).toContain(part);
});
