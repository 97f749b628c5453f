import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { createSheet, points, type Sheet } from '../../pdf/sheet.ts';
import { fitText, shorten } from '../../pdf/text-block.ts';
import type { Statement, StatementEntry } from './read-statement.ts';
import { amountInWords, KIND_NAMES, monthInWords, timeFormat } from './statement-words.ts';

export interface StatementDriver {
  id: string;
  name: string;
}

/** A4, in millimetres. */
const PAGE = { width: 210, height: 297 } as const;
const LEFT = 20;
const RIGHT = PAGE.width - 20;
const WIDTH = RIGHT - LEFT;
const ROW = 6.5;
const FIRST_ROW = 84;
const OTHER_ROW = 36; // on the pages after the first
const BOTTOM = PAGE.height - 36; // leaves space for the totals and the page number
const TEXT = 3.1;

const COLUMNS = {
  date: { left: LEFT, width: 30 },
  kind: { left: LEFT + 32, width: 22 },
  about: { left: LEFT + 56, width: 62 },
  amount: { left: LEFT + 120, width: 23 },
  balance: { left: LEFT + 145, width: 25 },
} as const;

/**
 * The statement of a month, as one PDF. Deterministic: the same entries give the same bytes. Pages are drawn one per turn
 * of the event loop, so that a long month delays no other request.
 */
export async function statementPdf(statement: Statement, driver: StatementDriver, timeZone: string): Promise<Buffer> {
  const document = new PDFDocument({
    size: [points(PAGE.width), points(PAGE.height)],
    margin: 0,
    autoFirstPage: false,
    font: null as never, // none by default: pdfkit would parse Helvetica for each document
    lang: 'fr',
    info: {
      Title: `Relevé ${statement.month}`,
      Producer: 'Navette',
      Creator: 'Navette',
      CreationDate: new Date(0),
    },
  });
  const sheet = createSheet(document);
  const time = timeFormat(timeZone);
  const pages = paginate(statement.entries);
  for (const [i, entries] of pages.entries()) {
    document.addPage();
    let top = i === 0 ? drawFirstHeader(sheet, statement, driver) : drawHeader(sheet, statement, driver);
    for (const line of entries) {
      drawEntry(sheet, line, top, time);
      top += ROW;
    }
    if (i === pages.length - 1) drawTotals(sheet, statement, top);
    const number = fitText(`Page ${i + 1} sur ${pages.length}`, 'regular', [2.6], WIDTH, 4);
    sheet.block(number, LEFT, PAGE.height - 16, { width: WIDTH, align: 'right' });
    await setImmediate();
  }
  document.end();
  const chunks: Buffer[] = [];
  for await (const chunk of document) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** At least one page, also for a month without entries. */
function paginate(entries: StatementEntry[]): StatementEntry[][] {
  const rowsOn = (first: number) => Math.floor((BOTTOM - first) / ROW);
  const pages = [entries.slice(0, rowsOn(FIRST_ROW))];
  for (let from = rowsOn(FIRST_ROW); from < entries.length; from += rowsOn(OTHER_ROW)) {
    pages.push(entries.slice(from, from + rowsOn(OTHER_ROW)));
  }
  return pages;
}

/** Returns where the first entry is drawn. */
function drawFirstHeader(sheet: Sheet, statement: Statement, { id, name }: StatementDriver): number {
  sheet.text('NAVETTE', LEFT, 18, { weight: 'bold', size: 7 });
  sheet.text('Relevé de courses', LEFT, 30, { weight: 'bold', size: 5.4 });
  sheet.text(monthInWords(statement.month), LEFT, 38, { size: 4.4 });
  const right = LEFT + 95;
  sheet.caption('Chauffeur', right, 30);
  const width = RIGHT - right;
  sheet.block(shorten(fitText(name, 'bold', [4, 3.4, 2.8], width, 9), 9), right, 33.5, { width });
  sheet.text(id, right, 43, { size: 2.4 });
  sheet.caption('Solde initial', LEFT, 54);
  sheet.text(amountInWords(statement.openingCents), LEFT, 57.5, { size: 4.2 });
  sheet.caption('Total du mois', LEFT + 60, 54);
  sheet.text(amountInWords(statement.totalCents), LEFT + 60, 57.5, { size: 4.2, weight: 'bold' });
  sheet.caption('Solde final', LEFT + 120, 54);
  sheet.text(amountInWords(statement.closingCents), LEFT + 120, 57.5, { size: 4.2, weight: 'bold' });
  drawTitles(sheet, FIRST_ROW - 8);
  return FIRST_ROW;
}

function drawHeader(sheet: Sheet, { month }: Statement, { name }: StatementDriver): number {
  const title = fitText(`Relevé de courses, ${monthInWords(month)} · ${name}`, 'bold', [3.4, 2.8], WIDTH, 5);
  sheet.block(shorten(title, 5), LEFT, 16, { width: WIDTH });
  drawTitles(sheet, OTHER_ROW - 8);
  return OTHER_ROW;
}

function drawTitles(sheet: Sheet, top: number): void {
  const titles = { date: 'Date', kind: 'Nature', about: 'Envoi ou motif', amount: 'Montant', balance: 'Solde' };
  for (const [name, title] of Object.entries(titles)) {
    const { left, width } = COLUMNS[name as keyof typeof COLUMNS];
    const block = fitText(title.toUpperCase(), 'bold', [2.3], width, 4);
    sheet.block(block, left, top, { width, align: isNumber(name) ? 'right' : 'left' });
  }
  sheet.line(LEFT, top + 5, RIGHT, top + 5, 0.3);
}

const isNumber = (column: string) => column === 'amount' || column === 'balance';

function drawEntry(sheet: Sheet, line: StatementEntry, top: number, time: Intl.DateTimeFormat): void {
  const cells = {
    date: time.format(line.at),
    kind: KIND_NAMES[line.kind],
    about: line.referenceNumber ?? line.reason ?? '',
    amount: amountInWords(line.amountCents),
    balance: amountInWords(line.balanceAfterCents),
  };
  for (const [name, text] of Object.entries(cells)) {
    const { left, width } = COLUMNS[name as keyof typeof COLUMNS];
    const block = shorten(fitText(text, 'regular', [TEXT, 2.6, 2.2], width, 5), 5);
    sheet.block(block, left, top, { width, align: isNumber(name) ? 'right' : 'left' });
  }
  sheet.line(LEFT, top + ROW - 1.4, RIGHT, top + ROW - 1.4, 0.08);
}

function drawTotals(sheet: Sheet, { entries, totalCents, closingCents }: Statement, top: number): void {
  if (entries.length === 0) sheet.text('Aucune course ni correction ce mois-ci.', LEFT, top, { size: TEXT });
  const rows = [
    ['Total du mois', totalCents],
    ['Solde final', closingCents],
  ] as const;
  for (const [i, [title, cents]] of rows.entries()) {
    const y = top + (entries.length === 0 ? ROW : 1) + i * 6;
    sheet.text(title, COLUMNS.about.left, y, { size: TEXT, weight: 'bold' });
    const { left, width } = COLUMNS.balance;
    sheet.block(fitText(amountInWords(cents), 'bold', [TEXT], width, 5), left, y, { width, align: 'right' });
  }
}
