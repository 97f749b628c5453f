import PDFDocument from 'pdfkit';
import { points } from './sheet.ts';

/** A4, in millimetres. */
export const A4 = { width: 210, height: 297 } as const;

interface ArchiveOptions {
  title: string;
  language: string;
  /** Part of the file, so that the same content gives the same bytes. */
  createdAt: Date;
}

/** A document that conforms to PDF/A-3b: fonts and colour profile are embedded, and files may be attached. */
export function createArchiveDocument({ title, language, createdAt }: ArchiveOptions): typeof PDFDocument.prototype {
  return new PDFDocument({
    size: [points(A4.width), points(A4.height)],
    margin: 0,
    autoFirstPage: false,
    font: null as never, // none by default: pdfkit would parse Helvetica for each document
    lang: language,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    displayTitle: true,
    info: { Title: title, Producer: 'Navette', Creator: 'Navette', CreationDate: createdAt },
  });
}

export async function bytesOf(document: typeof PDFDocument.prototype): Promise<Buffer> {
  document.end();
  const chunks: Buffer[] = [];
  for await (const chunk of document) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
