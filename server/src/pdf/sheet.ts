import type PDFDocument from 'pdfkit';
import { FACES, type Weight } from './fonts.ts';
import { type TextBlock, widthOf } from './text-block.ts';
import { toPieces } from './visual-order.ts';

const POINTS_PER_MM = 72 / 25.4;
export const points = (mm: number): number => mm * POINTS_PER_MM;

export type Rectangle = [left: number, top: number, width: number, height: number];

interface BlockOptions {
  width: number;
  align?: 'left' | 'center' | 'right';
  white?: boolean;
  /** The original text, for search and copy, where the drawn lines differ from it. */
  actual?: string | undefined;
}

/** A page to draw on, in millimetres from its top left corner. */
export interface Sheet {
  text(text: string, left: number, top: number, options: { size: number; weight?: Weight }): void;
  /** A small uppercase label above a field. */
  caption(text: string, left: number, top: number): void;
  block(block: TextBlock, left: number, top: number, options: BlockOptions): void;
  line(fromX: number, fromY: number, toX: number, toY: number, thickness: number): void;
  fillBox(...rectangle: Rectangle): void;
  clearBox(...rectangle: Rectangle): void;
  fillRectangles(rectangles: Rectangle[]): void;
}

export function createSheet(document: typeof PDFDocument.prototype): Sheet {
  for (const { name, font } of Object.values(FACES)) document.registerFont(name, font as never);

  const sheet: Sheet = {
    text(text, left, top, { size, weight = 'regular' }) {
      sheet.block({ lines: [text], weight, size, height: size, cutsWord: false }, left, top, { width: 0 });
    },
    caption(text, left, top) {
      sheet.text(text.toUpperCase(), left, top, { size: 2.1, weight: 'bold' });
    },
    block({ lines, weight, size, height }, left, top, { width, align = 'left', white = false, actual }) {
      if (white) document.fillColor('white');
      document.fontSize(points(size));
      if (actual !== undefined) document.markContent('Span', { actual } as never);
      for (const [i, line] of lines.entries()) {
        const space = align === 'left' ? 0 : width - (widthOf(line, weight) * size) / 1000;
        let x = left + (align === 'center' ? space / 2 : space);
        const y = top + (height / lines.length) * i;
        for (const { face, text } of toPieces(line, weight)) {
          document.font(face.name).text(text, points(x), points(y), { lineBreak: false });
          x += (face.widthOf(text) * size) / 1000;
        }
      }
      if (actual !== undefined) document.endMarkedContent();
      if (white) document.fillColor('black');
    },
    line(fromX, fromY, toX, toY, thickness) {
      document
        .lineWidth(points(thickness))
        .moveTo(points(fromX), points(fromY))
        .lineTo(points(toX), points(toY))
        .stroke();
    },
    fillBox(...rectangle) {
      sheet.fillRectangles([rectangle]);
    },
    clearBox(...rectangle) {
      document.fillColor('white');
      sheet.fillRectangles([rectangle]);
      document.fillColor('black');
    },
    fillRectangles(rectangles) {
      // One instruction for all: a code has two hundred rectangles, and each pdfkit call has an overhead.
      const path = rectangles.map((rectangle) => `${rectangle.map((mm) => points(mm).toFixed(3)).join(' ')} re`);
      document.addContent(path.join('\n')).fill();
    },
  };
  return sheet;
}
