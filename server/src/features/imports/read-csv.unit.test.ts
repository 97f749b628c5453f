import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSV_DIALECTS, csvLine } from '../../output-formats/write-csv.ts';
import { type CsvRow, findDelimiter, readCsv } from './read-csv.ts';

async function read(text: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsv(text, findDelimiter(text))) rows.push(row);
  return rows;
}

describe('a file in columns', () => {
  test.each([
    ['semicolons', 'a;b\r\n1,5;2\r\n'],
    ['commas', 'a,b\n"1,5",2\n'],
    ['tabs', 'a\tb\r1,5\t2'],
    ['a byte order mark and blank lines', '\uFEFFa;b\r\n\r\n1,5;2\r\n;\r\n\r\n'],
    ['a separator in a quoted head', '"a";b\r\n1,5;2'],
  ])('with %s is understood', async (_what, text) => {
    const rows = await read(text);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
  });

  test('lines are numbered as an editor shows them, quoted line breaks and blank lines included', async () => {
    const rows = await read('a;b\r\n"un\r\ndeux";x\r\n\r\n3;y\r\n;\r\n5;z');
    expect(rows.map(({ line, cells: [first] }) => [line, first])).toEqual([
      [1, 'a'],
      [2, 'un\ndeux'],
      [5, '3'],
      [7, '5'],
    ]);
  });

  test('a long file is read in chunks that cut no character, and yields to other work in between', async () => {
    const cells = Array.from({ length: 20_000 }, (_, i) => `é山𠀀${'x'.repeat(i % 7)}`);
    let turns = 0;
    const turning = setInterval(() => turns++, 0);
    const rows = await read(`a;b\r\n${cells.map((cell) => `${cell};\r\n`).join('')}${';\r\n'.repeat(40_000)}`);
    clearInterval(turning);
    expect(rows.slice(1).map(({ cells: [first] }) => first)).toEqual(cells);
    expect(turns).toBeGreaterThanOrEqual(3); // of half a dozen
  });

  test('every exported text is read back unchanged, except for surrounding blanks', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll(/\r\n?/g, '\n').trim());
    const nasty = fc.constantFrom('=1+1', '+33612345678', "'=x", 'a;b', 'a,=b', '12" x', 'un\ndeux', '<script>', '@');
    const cells = fc.array(fc.oneof(text, nasty), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cells, fc.constantFrom(...Object.values(CSV_DIALECTS)), async (given, dialect) => {
        const header = csvLine(['Commande', ...given.map((_, i) => `c${i}`)], dialect);
        const [, row] = await read(header + csvLine(['x', ...given], dialect));
        expect(row?.cells).toEqual(['x', ...given]);
      }),
      { numRuns: 500 },
    );
  });

  test('any text gives rows or a CsvError', async () => {
    const bits = fc.constantFrom('a', ';', ',', '\t', '"', '\r', '\n', ' ', '\uFEFF', "'", '=');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: bits, maxLength: 40 }), async (text) => {
        const rows = await read(text).catch((error: Error & { code?: string }) => error.code);
        expect(typeof rows === 'string' ? /^CSV_/.test(rows) : Array.isArray(rows)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
