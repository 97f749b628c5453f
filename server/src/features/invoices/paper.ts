import type PDFDocument from 'pdfkit';
import type { InvoiceParty } from '../../database/json-columns.ts';
import { A4 } from '../../pdf/archive-document.ts';
import { createSheet, type Sheet } from '../../pdf/sheet.ts';
import { fitText, shorten } from '../../pdf/text-block.ts';
import type { Words } from './invoice-words.ts';

/** In millimetres. */
export const LEFT = 20;
const RIGHT = A4.width - 20;
export const WIDTH = RIGHT - LEFT;
export const ROW = 6.4;
const TEXT = 3.1;
const INK = '#1f2733';
const MUTED = '#596273';
const ACCENT = '#364fc7'; // the indigo of the web apps
const RULE = '#d5d9e0';
const TINT = '#f1f3f9';

type Align = 'left' | 'right';

export interface Column {
  title: string;
  left: number;
  width: number;
  align?: Align;
}

/** Parts of invoices and statements, drawn with the colours of the web apps. */
export interface Paper {
  text(text: string, left: number, top: number, style: TextStyle): void;
  rule(top: number, thickness?: number): void;
  tint(left: number, top: number, width: number, height: number): void;
  titles(columns: Column[], top: number): void;
  row(columns: Column[], cells: string[], top: number): void;
}

interface TextStyle {
  size: number;
  bold?: boolean;
  colour?: 'ink' | 'muted' | 'accent';
  /** Texts that are wider become smaller, then are cut. */
  width?: number;
  height?: number;
  align?: Align;
}

const COLOURS = { ink: INK, muted: MUTED, accent: ACCENT };

export function createPaper(document: typeof PDFDocument.prototype): Paper {
  const sheet: Sheet = createSheet(document);
  const paper: Paper = {
    text(text, left, top, { size, bold = false, colour = 'ink', width = WIDTH, height = size * 1.3, align = 'left' }) {
      document.fillColor(COLOURS[colour]);
      const block = fitText(text, bold ? 'bold' : 'regular', [size, size * 0.9, size * 0.8], width, height);
      sheet.block(shorten(block, height), left, top, { width, align });
    },
    rule(top, thickness = 0.15) {
      document.strokeColor(RULE);
      sheet.line(LEFT, top, RIGHT, top, thickness);
    },
    tint(left, top, width, height) {
      document.fillColor(TINT);
      sheet.fillBox(left, top, width, height);
    },
    titles(columns, top) {
      for (const { title, left, width, align = 'left' } of columns)
        paper.text(title.toUpperCase(), left, top, { size: 2.3, bold: true, colour: 'muted', width, align });
      paper.rule(top + 4.6, 0.3);
    },
    row(columns, cells, top) {
      for (const [i, { left, width, align = 'left' }] of columns.entries())
        paper.text(cells[i] ?? '', left, top, { size: TEXT, width, align });
      paper.rule(top + ROW - 1.5);
    },
  };
  return paper;
}

interface Header {
  title: string;
  seller: string;
  facts: [label: string, value: string][];
}

const FACT_LEFT = LEFT + 100;

/** The company above, the title below it, and the facts of the document at the right. */
export function drawHeader(paper: Paper, { title, seller, facts }: Header): void {
  paper.text(seller, LEFT, 18, { size: 4.6, bold: true, colour: 'accent', width: 92, height: 12 });
  paper.text(title, LEFT, 33, { size: 8, bold: true, width: 92 });
  for (const [i, [label, value]] of facts.entries()) {
    const top = 19 + i * 6;
    paper.text(label, FACT_LEFT, top, { size: 2.8, colour: 'muted', width: 32 });
    paper.text(value, FACT_LEFT + 32, top, { size: 2.8, bold: true, width: RIGHT - FACT_LEFT - 32, align: 'right' });
  }
}

/** Name, address and identifiers of a company under a caption. */
export function drawParty(
  paper: Paper,
  { caption, party, extra, words }: { caption: string; party: InvoiceParty; extra: string | null; words: Words },
  left: number,
  top: number,
): void {
  const { name, street, postalCode, city, country, siren, vatId } = party;
  const town = [postalCode, city].filter(Boolean).join(' ');
  const lines = [
    street,
    country === 'FR' ? town : [town, country].filter(Boolean).join(', '),
    extra,
    siren && `${words.siren} ${siren.replace(/(\d{3})(?=\d)/g, '$1 ')}`,
    vatId && `${words.vatId} ${vatId}`,
  ].filter((line): line is string => Boolean(line));
  paper.text(caption.toUpperCase(), left, top, { size: 2.3, bold: true, colour: 'muted', width: 78 });
  paper.text(name, left, top + 4.4, { size: 3.5, bold: true, width: 78 });
  for (const [i, line] of lines.entries()) paper.text(line, left, top + 9.6 + i * 4.5, { size: TEXT, width: 78 });
}

/** Totals at the right; the last one is the amount that matters. Returns where they end. */
export function drawTotals(paper: Paper, rows: [label: string, amount: string][], top: number): number {
  const left = LEFT + 92;
  for (const [i, [label, amount]] of rows.entries()) {
    const isLast = i === rows.length - 1;
    const y = top + i * 6 + (isLast ? 2 : 0);
    if (isLast) paper.tint(left - 3, y - 2, RIGHT - left + 3, 9);
    const style = { size: isLast ? 4 : TEXT, bold: isLast };
    paper.text(label, left, y, { ...style, width: 45 });
    paper.text(amount, left + 40, y, { ...style, width: RIGHT - left - 42, align: 'right' });
  }
  return top + rows.length * 6 + 6;
}

export function drawFooter(paper: Paper, words: Words, mention: string, [page, pages]: [number, number]): void {
  paper.rule(A4.height - 19);
  paper.text(mention, LEFT, A4.height - 17, { size: 2.3, colour: 'muted', width: WIDTH - 30, height: 6 });
  paper.text(words.page(page, pages), LEFT, A4.height - 17, { size: 2.3, colour: 'muted', align: 'right' });
}

/** Rows by page: the first page has a tall header, and the last one needs space below its rows. */
export function paginate<Row>(rows: Row[], space: { first: number; other: number; below: number }): Row[][] {
  const bottom = A4.height - 22;
  const pages: Row[][] = [];
  let rest = rows;
  do {
    const top = pages.length === 0 ? space.first : space.other;
    const most = Math.floor((bottom - top) / ROW);
    const withEnd = Math.floor((bottom - space.below - top) / ROW);
    const taken = rest.length <= withEnd ? rest.length : Math.min(most, Math.max(withEnd, rest.length - 1));
    pages.push(rest.slice(0, taken));
    rest = rest.slice(taken);
  } while (rest.length > 0);
  return pages;
}
