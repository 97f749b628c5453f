import PDFDocument from 'pdfkit';
import type { Label } from './label.ts';
import { drawLabel } from './page/draw-label.ts';
import { createSheet, PAGE, points } from './page/sheet.ts';

/**
 * Labels as one PDF, a page each, in chunks as they get ready. The same labels give the same bytes: nothing but them
 * goes in, not even the time. Fonts are embedded once, with the glyphs that the pages use.
 */
export async function* drawLabels(labels: Iterable<Label>): AsyncGenerator<Buffer> {
  const document = new PDFDocument({
    size: [points(PAGE.width), points(PAGE.height)],
    margin: 0,
    autoFirstPage: false,
    font: null as never, // none by default: pdfkit would parse Helvetica for each document
    lang: 'fr',
    info: { Title: 'Bordereau', Producer: 'Navette', Creator: 'Navette', CreationDate: new Date(0) },
  });
  const sheet = createSheet(document);
  for (const label of labels) {
    document.addPage();
    drawLabel(sheet, label);
    const chunk = document.read() as Buffer | null;
    if (chunk) yield chunk;
  }
  document.end();
  for await (const chunk of document) yield chunk as Buffer;
}
