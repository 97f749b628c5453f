import { bytesOf, createArchiveDocument } from '../../pdf/archive-document.ts';
import { attachFacturX } from './attach-factur-x.ts';
import { facturX } from './factur-x.ts';
import { serviceOf, titleOf, type Words, wordsIn } from './invoice-words.ts';
import {
  type Column,
  createPaper,
  drawFooter,
  drawHeader,
  drawParty,
  drawTotals,
  LEFT,
  type Paper,
  paginate,
  ROW,
  WIDTH,
} from './paper.ts';
import type { InvoiceDocument } from './read-invoices.ts';

const PARTIES = 48;
const FIRST_ROW = 96;
const OTHER_ROW = 34;
const BELOW = 74; // totals, payment and mentions

/** One PDF/A-3b file with the data of the invoice attached. The same invoice gives the same bytes. */
export async function invoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const words = wordsIn(invoice.language);
  const createdAt = new Date(`${invoice.issuedOn}T12:00:00Z`);
  const title = `${titleOf(invoice, words)} ${invoice.number}`;
  const document = createArchiveDocument({ title, language: invoice.language, createdAt });
  const paper = createPaper(document);
  attachFacturX(document, facturX(invoice), createdAt);
  const columns = columnsOf(words);
  const pages = paginate(invoice.lines, { first: FIRST_ROW, other: OTHER_ROW, below: BELOW });
  for (const [i, lines] of pages.entries()) {
    document.addPage();
    if (i === 0) drawFirstPage(paper, invoice, words);
    else paper.text(title, LEFT, 16, { size: 3.4, bold: true });
    let top = i === 0 ? FIRST_ROW : OTHER_ROW;
    paper.titles(columns, top - 8);
    for (const { day, shipments, netCents, grossCents } of lines) {
      const cells = [words.day(day), serviceOf(invoice, words), words.count(shipments)];
      paper.row(columns, [...cells, words.money(netCents), words.money(grossCents)], top);
      top += ROW;
    }
    if (i === pages.length - 1) drawEnd(paper, invoice, words, top + 4);
    drawFooter(paper, words, mentionOf(invoice, words), [i + 1, pages.length]);
  }
  return bytesOf(document);
}

const columnsOf = (words: Words): Column[] => [
  { title: words.dayColumn, left: LEFT, width: 36 },
  { title: words.service, left: LEFT + 38, width: 54 },
  { title: words.shipments, left: LEFT + 92, width: 20, align: 'right' },
  { title: words.netColumn, left: LEFT + 114, width: 27, align: 'right' },
  { title: words.grossColumn, left: LEFT + 143, width: 27, align: 'right' },
];

function drawFirstPage(paper: Paper, invoice: InvoiceDocument, words: Words): void {
  const { seller, buyer, number, issuedOn, dueOn, month } = invoice;
  const facts: [string, string][] = [
    [words.number, number],
    [words.issuedOn, words.date(issuedOn)],
    [words.period, words.month(month)],
    ...(dueOn ? [[words.dueOn, words.date(dueOn)] as [string, string]] : []),
  ];
  drawHeader(paper, { title: titleOf(invoice, words), seller: seller.name, facts });
  drawParty(paper, { caption: words.seller, party: seller, extra: null, words }, LEFT, PARTIES);
  drawParty(paper, { caption: words.buyer, party: buyer, extra: null, words }, LEFT + 92, PARTIES);
}

function drawEnd(paper: Paper, invoice: InvoiceDocument, words: Words, top: number): void {
  const { netCents, vatCents, vatBasisPoints, roundingCents, grossCents, paidCents, kind } = invoice;
  const isCredit = kind === 'credit_note';
  const end = drawTotals(
    paper,
    [
      [words.net, words.money(netCents)],
      [`${words.vat} ${words.rate(vatBasisPoints)}`, words.money(vatCents)],
      ...(roundingCents === 0 ? [] : [[words.rounding, words.money(roundingCents)] as [string, string]]),
      [words.gross, words.money(grossCents)],
      ...(isCredit || paidCents === 0 ? [] : [[words.paid, words.money(-paidCents)] as [string, string]]),
      [isCredit ? words.credited : words.due, words.money(isCredit ? grossCents : grossCents - paidCents)],
    ],
    top,
  );
  const notes = [...paymentOf(invoice, words), ...mentionsOf(invoice, words)];
  for (const [i, note] of notes.entries())
    paper.text(note, LEFT, end + i * 4, { size: 2.6, colour: 'muted', width: WIDTH });
}

function paymentOf({ corrects, correctsIssuedOn, replaces, note, dueOn, seller, kind }: InvoiceDocument, words: Words) {
  return [
    corrects && correctsIssuedOn && words.corrects(corrects, words.date(correctsIssuedOn)),
    replaces && words.replaces(replaces),
    note && words.reason(note),
    dueOn && words.terms(words.date(dueOn)),
    dueOn && seller.iban && words.transfer(seller.iban.replace(/(.{4})(?=.)/g, '$1 ')),
    kind === 'invoice' && !dueOn && words.settled,
  ].filter((line): line is string => Boolean(line));
}

const mentionsOf = ({ vatBasisPoints, kind }: InvoiceDocument, words: Words): string[] => [
  ...(vatBasisPoints === 0 ? [words.noVat] : []),
  words.serviceKind,
  words.detail,
  ...(kind === 'invoice' ? [words.noDiscount, words.penalty, words.lateFee] : []),
];

/** The company as the law wants it on its papers. */
function mentionOf({ seller }: InvoiceDocument, words: Words): string {
  const parts = [seller.name, seller.legalForm, seller.siren && `${words.siren} ${seller.siren}`];
  return [...parts, seller.vatId && `${words.vatId} ${seller.vatId}`].filter(Boolean).join(' · ');
}
