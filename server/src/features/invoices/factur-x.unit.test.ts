import { FacturX } from 'factur-x-kit';
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

/** Names of the rules that a program which is not ours, with 130 rules of EN 16931, finds broken. */
async function foundByOthers(file: string | Uint8Array): Promise<string[]> {
  const read = await (typeof file === 'string' ? FacturX.fromXML(file) : FacturX.fromPDF(file));
  return (read.validate().errors ?? []).map(({ message }) => /^\[(BR-[\w-]+)\]/.exec(message)?.[1] ?? message);
}

const anyXml = (maxLength: number) =>
  fc
    .record({
      lines: fc.array(
        fc.record({
          day: fc.constant('2026-10-05'),
          shipments: fc.integer({ min: 1, max: 5_000 }),
          grossCents: fc.integer({ min: 1, max: 5_000_000 }),
        }),
        { minLength: 1, maxLength },
      ),
      vatBasisPoints: fc.constantFrom(0, 550, 1_000, 2_000),
      isCredit: fc.boolean(),
      isPaid: fc.boolean(),
    })
    .map(({ lines, vatBasisPoints, isCredit, isPaid }) => {
      const paidCents = lines.reduce((sum, { grossCents }) => sum + grossCents, 0);
      const paid = isPaid || isCredit ? { paidCents, dueOn: null } : {};
      return facturX(sampleInvoice(lines, { vatBasisPoints, ...paid, ...(isCredit ? credit : {}) }));
    });

test('any invoice and credit note, at any rate, paid or not, follows the rules of EN 16931', () => {
  fc.assert(
    fc.property(anyXml(31), (xml) => {
      expect(brokenRules(xml)).toEqual([]);
    }),
  );
});

test('another program that knows the rules finds none broken', async () => {
  // In floating point 0.03 - 0.04 + 0.01 is not 0, so only our own sum in cents decides about this rule.
  const found = async (xml: string) => (await foundByOthers(xml)).filter((rule) => rule !== 'BR-CO-16');
  await fc.assert(
    fc.asyncProperty(anyXml(3), async (xml) => {
      expect(await found(xml)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

const withAmount = (element: string, amount: string) => (xml: string) =>
  xml.replace(new RegExp(`(<ram:${element}>)[^<]+`), `$1${amount}`);

test.each([
  ['BR-CO-16', withAmount('DuePayableAmount', '99.99')],
  ['BR-CO-15', withAmount('GrandTotalAmount', '99.99')],
  ['BR-CO-13', withAmount('TaxBasisTotalAmount', '99.99')],
  ['BR-CO-10', withAmount('LineTotalAmount', '99.99')],
  ['BR-CO-17', withAmount('CalculatedAmount', '99.99')],
])('a changed invoice breaks %s, by our reading and by that of others', async (rule, mutate) => {
  const xml = mutate(facturX(sampleInvoice(LINES)));
  expect(brokenRules(xml)).toContain(rule);
  expect(await foundByOthers(xml)).toContain(rule);
});

test('an invoice without a note that French rules ask for breaks BR-FR-05', () => {
  const xml = facturX(sampleInvoice(LINES)).replace('<ram:SubjectCode>PMT</ram:SubjectCode>', '');
  expect(brokenRules(xml)).toEqual(['BR-FR-05']);
});

test('an invoice of a seller without a VAT identifier breaks BR-S-2', async () => {
  const xml = facturX(sampleInvoice(LINES));
  const registration = /<ram:SpecifiedTaxRegistration>.*?<\/ram:SpecifiedTaxRegistration>/s;
  expect(await foundByOthers(xml.replace(registration, ''))).toEqual(['BR-S-2']);
});

test('the terms of payment say what the page says: by when, or that nothing is left to pay', () => {
  const terms = (given: Parameters<typeof sampleInvoice>[1]) =>
    /<ram:SpecifiedTradePaymentTerms><ram:Description>([^<]+)</.exec(facturX(sampleInvoice(LINES, given)))?.[1];
  expect(terms({})).toBe('Paiement au plus tard le 1er décembre 2026.');
  expect(terms({ dueOn: null, paidCents: 3_403 })).toBe('Montant réglé par prélèvement sur le solde du compte.');
  expect(terms({ ...credit, dueOn: null })).toBe('Crédité sur votre compte');
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
  expect(await foundByOthers(pdf)).toEqual([]);
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
