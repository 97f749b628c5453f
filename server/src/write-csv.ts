/** What a spreadsheet of that language expects: a French one takes `,` for the decimal point. */
export const CSV_DIALECTS = {
  fr: { delimiter: ';', decimal: ',' },
  en: { delimiter: ',', decimal: '.' },
} as const;
export interface CsvDialect {
  delimiter: ';' | ',' | '\t';
  decimal: ',' | '.';
}

/** Without it Excel reads UTF-8 as something else. */
export const BYTE_ORDER_MARK = '\uFEFF';

export type CsvCell = string | number | { euros: number } | null;

/** One line with its end. Text is defused; numbers are ours and may be negative. */
export function csvLine(cells: readonly CsvCell[], { delimiter, decimal }: CsvDialect): string {
  const written = cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quoted(defused(cell));
    const number = typeof cell === 'number' ? String(cell) : cell.euros.toFixed(2);
    return quoted(number.replace('.', decimal));
  });
  return `${written.join(delimiter)}\r\n`;
}

const CELL_START = '(?<=^|[;,\\t\\r\\n])';
const RISKY = "(?='*[^\\S\\t\\r\\n]*[=+\\-@＝＋－＠]|'*[\\t\\r])";
const DEFUSE = new RegExp(`${CELL_START}${RISKY}`, 'gu');
const UNDO = new RegExp(`${CELL_START}'${RISKY}`, 'gu');

/**
 * What a spreadsheet would run as a formula gets an apostrophe in front, wherever a cell could begin: at the start, and
 * behind every character that a spreadsheet of another language takes for a separator.
 */
export const defused = (text: string): string => text.replace(DEFUSE, "'");

/** The text before it was defused: files that we wrote come back. */
export const undefused = (text: string): string => text.replace(UNDO, '');

/** Any separator is a reason, not only our own: see above. */
const quoted = (text: string): string => (/[;,\t"\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
