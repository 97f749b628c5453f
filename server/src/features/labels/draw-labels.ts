import PDFDocument from 'pdfkit';
import { createSheet, points } from '../../pdf/sheet.ts';
import type { Label } from './label.ts';
import { drawLabel } from './page/draw-label.ts';
import { PAGE } from './page/page-size.ts';

/**
 * Labels as one PDF, a page each, in chunks. Deterministic: the same labels give the same bytes, without a creation
 * time. Fonts are embedded once, with only the glyphs that the pages use.
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
