import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSV_DIALECTS, csvLine, escapeFormulas, unescapeFormulas } from './write-csv.ts';

const dialects = Object.values(CSV_DIALECTS);
const readBy = (delimiter: string, line: string): string[][] => parse(line, { delimiter });
/** Parses like the worst spreadsheet: any separator splits, and quotes are ignored. */
const tear = (delimiter: string, line: string): string[] =>
  line.split(/[\r\n]+/).flatMap((part) => part.split(delimiter).map((cell) => cell.replace(/^"/, '')));

const PIECES = ['=', '+', '-', '@', '＝', '\t', '\r', '\n', ';', ',', '"', "'", ' ', 'a', '1', 'é', '=cmd()', '😀'];
/** Texts built mostly from the characters that matter here. */
const nasty = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 12 });
const text = fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 20 }));

describe('a line for spreadsheets', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+33612345678', "'+33612345678"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['a;=1+1', '"a;\'=1+1"'],
    ['Dit « oui »', 'Dit « oui »'],
    ['12" x 3', '"12"" x 3"'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('writes %j as %j', (given, written) => {
    expect(csvLine([given], CSV_DIALECTS.fr)).toBe(`${written}\r\n`);
  });

  test('writes amounts in the format of the language, including negative ones', () => {
    expect(csvLine([{ euros: -8.5 }, 2.5, null], CSV_DIALECTS.fr)).toBe('"-8,50";"2,5";\r\n');
    expect(csvLine([{ euros: 1234 }, 2.5], CSV_DIALECTS.en)).toBe('1234.00,2.5\r\n');
  });

  test('never contains a formula, for any separator of the spreadsheet', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.constantFrom(...dialects), (cells, dialect) => {
        const line = csvLine(cells, dialect);
        const torn = [';', ',', '\t'].flatMap((delimiter) => tear(delimiter, line));
        const seen = [...readBy(dialect.delimiter, line).flat(), ...torn];
        expect(seen.filter((cell) => /^\s*[=+\-@＝＋－＠]/u.test(cell))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('returns every text unchanged to a reader with the same separator', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), fc.constantFrom(...dialects), (cells, dialect) => {
        const [read = []] = readBy(dialect.delimiter, csvLine([...cells, 'end'], dialect));
        expect(read.map(unescapeFormulas)).toEqual([...cells, 'end']);
      }),
      { numRuns: 2_000 },
    );
  });

  test('escaping of formulas is reversible for any text', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(unescapeFormulas(escapeFormulas(given))).toBe(given);
      }),
      { numRuns: 5_000 },
    );
  });
});
