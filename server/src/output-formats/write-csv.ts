/** CSV as spreadsheets of each language expect it: French ones read `,` as the decimal separator. */
export const CSV_DIALECTS = {
  fr: { delimiter: ';', decimal: ',' },
  en: { delimiter: ',', decimal: '.' },
} as const;
export interface CsvDialect {
  delimiter: ';' | ',' | '\t';
  decimal: ',' | '.';
}

/** Without it Excel does not recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

export type CsvCell = string | number | { euros: number } | null;

/** One line with its end. Formulas in text are escaped; numbers are ours and may be negative. */
export function csvLine(cells: readonly CsvCell[], { delimiter, decimal }: CsvDialect): string {
  const written = cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quoted(escapeFormulas(cell));
    const number = typeof cell === 'number' ? String(cell) : cell.euros.toFixed(2);
    return quoted(number.replace('.', decimal));
  });
  return `${written.join(delimiter)}\r\n`;
}

const CELL_START = '(?<=^|[;,\\t\\r\\n])';
const RISKY = "(?='*[^\\S\\t\\r\\n]*[=+\\-@＝＋－＠]|'*[\\t\\r])";
const ESCAPE = new RegExp(`${CELL_START}${RISKY}`, 'gu');
const UNESCAPE = new RegExp(`${CELL_START}'${RISKY}`, 'gu');

/**
 * Prevents CSV injection: text that a spreadsheet would run as a formula gets an apostrophe in front. That applies
 * wherever a cell could start: at the beginning, and after every character that some spreadsheet reads as a separator.
 */
export const escapeFormulas = (text: string): string => text.replace(ESCAPE, "'");

/** Reverts `escapeFormulas`, because users import files that we exported. */
export const unescapeFormulas = (text: string): string => text.replace(UNESCAPE, '');

/** Text with the separator of any dialect is quoted, for the same reason. */
const quoted = (text: string): string => (/[;,\t"\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
