import { describe, expect, test } from 'vitest';
import { label } from '../../../test/label-samples.ts';
import { codesOfPages, faultsOfPdf } from '../../../test/pdf-tools.ts';
import { drawA4Sheets } from './draw-labels.ts';

const REFERENCES = [
  '7K2M9QXAB4',
  'AAAA222233',
  'BBBB333344',
  'CCCC444455',
  'DDDD555566',
  'EEEE666677',
  'FFFF777788',
  'GGGG888899',
  'HHHH999922',
];

async function draw(count: number, firstPosition: number): Promise<Buffer> {
  const labels = REFERENCES.slice(0, count).map((referenceNumber) => label({ referenceNumber }));
  const chunks: Buffer[] = [];
  for await (const chunk of drawA4Sheets(labels, firstPosition)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const QUARTER = { width: 839, height: 1187 }; // dots of a quarter of A4 at 203 dots per inch
const BOTH_CODES = (reference: string) => [`CODE-128:${reference}`, `QR-Code:${reference}`];

/** The codes at each position of each sheet. */
async function scan(pdf: Buffer): Promise<string[][][]> {
  const positions: string[][][] = [];
  for (const position of [0, 1, 2, 3]) {
    const [x, y] = [(position % 2) * QUARTER.width, Math.floor(position / 2) * QUARTER.height];
    positions.push(await codesOfPages(pdf, { x, y, ...QUARTER }));
  }
  return (positions[0] ?? []).map((_, sheet) => positions.map((sheets) => sheets[sheet] ?? []));
}

function expected(count: number, firstPosition: number): string[][][] {
  const before = Array<string[]>(firstPosition - 1).fill([]);
  const cells = [...before, ...REFERENCES.slice(0, count).map(BOTH_CODES)];
  const sheets = Array.from({ length: Math.ceil(cells.length / 4) }, (_, i) => cells.slice(4 * i, 4 * i + 4));
  return sheets.map((sheet) => [0, 1, 2, 3].map((position) => sheet[position] ?? []));
}

describe('labels on A4 sheets', () => {
  test.each([1, 2, 3, 4])('start at position %i, and a scanner reads both codes at each place', async (first) => {
    for (const count of [1, 4, 5, 9]) expect(await scan(await draw(count, first))).toEqual(expected(count, first));
  });

  test('are valid, and the same bytes each time', async () => {
    const pdf = await draw(9, 3);
    expect(await faultsOfPdf(pdf)).toBe('');
    expect(pdf.equals(await draw(9, 3))).toBe(true);
  });
});
