import { beforeAll, describe, expect, test } from 'vitest';
import { sampleInvoice } from '../../../test/invoice-sample.ts';
import { type PdfObjects, pdfaViolations, readPdfObjects } from '../../../test/pdfa-rules.ts';
import { invoicePdf } from './invoice-pdf.ts';
import type { InvoiceDocument } from './read-invoices.ts';

const LINES = Array.from({ length: 45 }, (_, i) => ({
  day: `2026-10-${String((i % 31) + 1).padStart(2, '0')}`,
  shipments: i + 1,
  grossCents: 850 * (i + 1),
}));
const CREDIT_NOTE: Partial<InvoiceDocument> = {
  number: 'A2026-000007',
  kind: 'credit_note',
  reason: 'refunds',
  corrects: 'F2026-000123',
  correctsIssuedOn: '2026-10-01',
  dueOn: null,
  language: 'en',
};

describe('an issued document satisfies the rules of PDF/A-3b that can be checked here', () => {
  test.each([
    ['an invoice', sampleInvoice(LINES.slice(0, 3))],
    ['an invoice of two pages', sampleInvoice(LINES)],
    ['a credit note in English', sampleInvoice(LINES.slice(0, 1), { ...CREDIT_NOTE, paidCents: 850 })],
  ])('%s', async (_case, invoice) => {
    expect(pdfaViolations(await readPdfObjects(await invoicePdf(invoice)))).toEqual([]);
  });
});

describe('a file that breaks one of them is found', () => {
  let good: PdfObjects;
  beforeAll(async () => {
    good = await readPdfObjects(await invoicePdf(sampleInvoice(LINES.slice(0, 3))));
  });

  type Dictionary = Record<string, unknown>;
  type Mutant = (pdf: PdfObjects, find: (has: (each: Dictionary) => boolean) => Dictionary) => void;
  const streamOf = (pdf: PdfObjects, holds: (dict: Dictionary) => boolean) =>
    [...pdf.objects.values()].find(({ stream }) => stream && holds(stream.dict))?.stream ?? { dict: {}, data: '' };
  const isMetadata = (dict: Dictionary) => dict['/Type'] === '/Metadata';
  const rewriteXmp = (pdf: PdfObjects, change: (xmp: string) => string) => {
    const stream = streamOf(pdf, isMetadata);
    stream.data = Buffer.from(change(Buffer.from(stream.data, 'base64').toString())).toString('base64');
  };

  const MUTANTS: Record<string, [Mutant, string]> = {
    'a font that is not embedded': [
      (_pdf, find) => delete find((each) => '/FontFile2' in each)['/FontFile2'],
      'every font is embedded',
    ],
    'a standard font': [
      (pdf) => {
        const value = { '/Type': '/Font', '/Subtype': '/Type1', '/BaseFont': '/Helvetica' };
        pdf.objects.set('999 0 R', { value });
      },
      'every font is embedded',
    ],
    'no metadata': [
      (_pdf, find) => delete find((each) => each['/Type'] === '/Catalog')['/Metadata'],
      'the metadata are not compressed, and declare part 3 and conformance B',
    ],
    'another part of PDF/A': [
      (pdf) => rewriteXmp(pdf, (xmp) => xmp.replace('<pdfaid:part>3', '<pdfaid:part>1')),
      'the metadata are not compressed, and declare part 3 and conformance B',
    ],
    'another title in the metadata': [
      (pdf) => rewriteXmp(pdf, (xmp) => xmp.replaceAll('F2026-000123', 'F2026-000124')),
      'title and producer of the metadata are those of the document',
    ],
    'properties of Factur-X without their description': [
      (pdf) => rewriteXmp(pdf, (xmp) => xmp.replace('<pdfaSchema:prefix>fx<', '<pdfaSchema:prefix>zf<')),
      'properties of a schema of its own are described',
    ],
    'no output intent': [
      (_pdf, find) => delete find((each) => each['/Type'] === '/Catalog')['/OutputIntents'],
      'an output intent has an ICC profile of three colours',
    ],
    'an attachment without a relationship': [
      (_pdf, find) => delete find((each) => '/EF' in each)['/AFRelationship'],
      'embedded files have a relationship, two names and a media type, and belong to the document',
    ],
    'an attachment that is not of the document': [
      (_pdf, find) => delete find((each) => each['/Type'] === '/Catalog')['/AF'],
      'embedded files have a relationship, two names and a media type, and belong to the document',
    ],
    'a script': [
      (_pdf, find) =>
        Object.assign(
          find((each) => each['/Type'] === '/Catalog'),
          { '/OpenAction': { '/JS': 'u:1' } },
        ),
      'no script, no action on opening and no form of XFA',
    ],
    'half transparent text': [
      (pdf) => pdf.objects.set('999 0 R', { value: { '/Type': '/ExtGState', '/ca': 0.5 } }),
      'nothing is transparent',
    ],
    encryption: [
      (pdf) => Object.assign(pdf.trailer, { '/Encrypt': '999 0 R' }),
      'the trailer has an identifier and no encryption',
    ],
    'no identifier': [(pdf) => delete pdf.trailer['/ID'], 'the trailer has an identifier and no encryption'],
    'a stream outside the file': [
      (pdf) => Object.assign(streamOf(pdf, isMetadata).dict, { '/F': 'u:other.xml' }),
      'streams are inside the file, and not compressed with LZW',
    ],
    'bytes after the end': [
      (pdf) => Object.assign(pdf, { bytes: Buffer.concat([pdf.bytes, Buffer.from('more')]) }),
      'nothing follows the end mark',
    ],
  };

  test.each(Object.entries(MUTANTS))('%s', (_case, [mutate, rule]) => {
    const mutant = { ...structuredClone({ ...good, bytes: null }), bytes: good.bytes };
    const all = [...mutant.objects.values()].map(({ value, stream }) => (stream?.dict ?? value) as Dictionary);
    mutate(mutant, (has) => {
      const found = all.find((each) => typeof each === 'object' && each !== null && has(each));
      if (!found) throw new Error('nothing to change');
      return found;
    });
    expect(pdfaViolations(mutant)).toContain(rule);
  });
});
