import { lastOfMonth } from '../../calendar/local-calendar.ts';
import { bytesOf, createArchiveDocument } from '../../pdf/archive-document.ts';
import { type Words, wordsIn } from './invoice-words.ts';
import {
  type Column,
  createPaper,
  drawFooter,
  drawHeader,
  drawParty,
  drawTotals,
  LEFT,
  paginate,
  ROW,
} from './paper.ts';
import type { StatementContent } from './read-statement.ts';

const FIRST_ROW = 96;
const OTHER_ROW = 34;
const BELOW = 42; // totals and note

/** The month of an account by day: a month of a hundred thousand shipments has as many rows as one of ten. */
export async function statementPdf(statement: StatementContent, operator: string): Promise<Buffer> {
  const { month, language, owner, days, openingCents, closingCents } = statement;
  const words = wordsIn(language);
  const title = `${words.statement}, ${words.month(month)}`;
  const createdAt = new Date(`${lastOfMonth(`${month}-01`)}T12:00:00Z`);
  const document = createArchiveDocument({ title, language, createdAt });
  const paper = createPaper(document);
  const columns = columnsOf(words);
  const pages = paginate(days, { first: FIRST_ROW, other: OTHER_ROW, below: BELOW });
  for (const [i, rows] of pages.entries()) {
    document.addPage();
    if (i === 0) {
      const facts: [string, string][] = [
        [words.period, words.month(month)],
        [words.opening, words.money(openingCents)],
        [words.closing, words.money(closingCents)],
      ];
      drawHeader(paper, { title: words.statement, seller: operator, facts });
      drawParty(paper, { caption: words.buyer, party: owner, extra: null, words }, LEFT, 48);
    } else paper.text(title, LEFT, 16, { size: 3.4, bold: true });
    let top = i === 0 ? FIRST_ROW : OTHER_ROW;
    paper.titles(columns, top - 8);
    for (const row of rows) {
      const amounts = [row.chargesCents, row.refundsCents, row.creditsCents];
      const cells = amounts.map((cents) => (cents === 0 ? '–' : words.money(cents)));
      paper.row(
        columns,
        [words.day(row.day), words.count(row.shipments), ...cells, words.money(row.balanceCents)],
        top,
      );
      top += ROW;
    }
    if (i === pages.length - 1) {
      const sum = (key: 'chargesCents' | 'refundsCents' | 'creditsCents') =>
        words.money(days.reduce((total, each) => total + each[key], 0));
      const end = drawTotals(
        paper,
        [
          [words.opening, words.money(openingCents)],
          [words.charges, sum('chargesCents')],
          [words.refunded, sum('refundsCents')],
          [words.credits, sum('creditsCents')],
          [words.closing, words.money(closingCents)],
        ],
        top + 4,
      );
      paper.text(words.statementNote, LEFT, end, { size: 2.6, colour: 'muted' });
    }
    drawFooter(paper, words, operator, [i + 1, pages.length]);
  }
  return bytesOf(document);
}

const columnsOf = (words: Words): Column[] => [
  { title: words.dayColumn, left: LEFT, width: 40 },
  { title: words.shipments, left: LEFT + 42, width: 18, align: 'right' },
  { title: words.charges, left: LEFT + 62, width: 27, align: 'right' },
  { title: words.refunded, left: LEFT + 90, width: 26, align: 'right' },
  { title: words.credits, left: LEFT + 117, width: 26, align: 'right' },
  { title: words.balance, left: LEFT + 144, width: 26, align: 'right' },
];
