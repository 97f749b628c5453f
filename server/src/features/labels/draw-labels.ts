import { LABELS_PER_SHEET } from '@navette/contract';
import PDFDocument from 'pdfkit';
import { createSheet, points } from '../../pdf/sheet.ts';
import type { Label } from './label.ts';
import { type LabelSheet, withCodes } from './page/codes.ts';
import { drawLabel } from './page/draw-label.ts';
import { A4, PAGE } from './page/page-size.ts';

type Document = typeof PDFDocument.prototype;

/**
 * Labels as one PDF, a page each, in chunks. Deterministic: the same labels give the same bytes, without a creation
 * time. Fonts are embedded once, with only the glyphs that the pages use.
 */
export const drawLabels = (labels: Iterable<Label>): AsyncGenerator<Buffer> =>
  drawPages(PAGE, labels, (document, sheet, label) => {
    document.addPage();
    drawLabel(sheet, label);
  });

/** Labels on A4 sheets, four each, row by row. The first sheet starts at a position from 1 to 4. */
export const drawA4Sheets = (labels: Iterable<Label>, firstPosition: number): AsyncGenerator<Buffer> =>
  drawPages(A4, labels, (document, sheet, label, index) => {
    const position = (firstPosition - 1 + index) % LABELS_PER_SHEET;
    if (index === 0 || position === 0) document.addPage();
    const quarter = { width: A4.width / 2, height: A4.height / 2 };
    const left = (position % 2) * quarter.width + (quarter.width - PAGE.width * A4.labelScale) / 2;
    const top = Math.floor(position / 2) * quarter.height + (quarter.height - PAGE.height * A4.labelScale) / 2;
    document.save().translate(points(left), points(top)).scale(A4.labelScale);
    drawLabel(sheet, label);
    document.restore();
  });

async function* drawPages(
  size: { width: number; height: number },
  labels: Iterable<Label>,
  drawNext: (document: Document, sheet: LabelSheet, label: Label, index: number) => void,
): AsyncGenerator<Buffer> {
  const document = new PDFDocument({
    size: [points(size.width), points(size.height)],
    margin: 0,
    autoFirstPage: false,
    font: null as never, // none by default: pdfkit would parse Helvetica for each document
    lang: 'fr',
    info: { Title: 'Bordereau', Producer: 'Navette', Creator: 'Navette', CreationDate: new Date(0) },
  });
  const sheet = withCodes(createSheet(document));
  let index = 0;
  for (const label of labels) {
    drawNext(document, sheet, label, index++);
    const chunk = document.read() as Buffer | null;
    if (chunk) yield chunk;
  }
  document.end();
  for await (const chunk of document) yield chunk as Buffer;
}
