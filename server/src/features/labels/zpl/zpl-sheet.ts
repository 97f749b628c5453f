import type { Rectangle } from '../../../pdf/sheet.ts';
import { DOT, type LabelSheet, placeCode128, qrModules } from '../page/codes.ts';
import { toFieldData, toPrintable } from './printable-text.ts';

const SMALLEST_FONT = 10; // dots, the limit of the printers
const LARGEST_QR_MODULE = 10; // dots, the limit of the printers

const ABOVE_CAPITALS = 0.12; // of the font size: a PDF has this much more space above the letters

const dots = (mm: number): number => Math.round(mm / DOT);

/** Writes ZPL commands instead of drawing. The printer draws the codes itself, and all text in its built-in font. */
export function createZplSheet(write: (command: string) => void): LabelSheet {
  const at = (left: number, top: number) => `^FO${dots(left)},${dots(top)}`;

  const box = ([left, top, width, height]: Rectangle, colour: 'B' | 'W') =>
    write(`${at(left, top)}^GB${dots(width)},${dots(height)},${dots(Math.min(width, height))},${colour}^FS`);

  const sheet: LabelSheet = {
    text(text, left, top, { size, weight = 'regular' }) {
      sheet.block({ lines: [text], weight, size, height: size, cutsWord: false }, left, top, { width: 0 });
    },
    caption(text, left, top) {
      sheet.text(text.toUpperCase(), left, top, { size: 2.1 });
    },
    block({ lines, size, height }, left, top, { width, align = 'left', white = false }) {
      const font = Math.max(SMALLEST_FONT, dots(size));
      const aligned = align === 'left' ? '' : `^FB${dots(width)},1,0,${align === 'center' ? 'C' : 'R'}`;
      for (const [i, line] of lines.entries()) {
        const start = at(left, top + (height / lines.length) * i + size * ABOVE_CAPITALS);
        write(`${start}${white ? '^FR' : ''}^A0N,${font},${font}${aligned}^FH^FD${toFieldData(toPrintable(line))}^FS`);
      }
    },
    line(fromX, fromY, toX, toY, thickness) {
      const [width, height] = [Math.abs(toX - fromX), Math.abs(toY - fromY)];
      const start = at(Math.min(fromX, toX), Math.min(fromY, toY));
      const stroke = Math.max(1, dots(thickness));
      if (width === 0 || height === 0) write(`${start}^GB${dots(width)},${dots(height)},${stroke}^FS`);
      else write(`${start}^GD${dots(width)},${dots(height)},${stroke},B,${toY > fromY === toX > fromX ? 'L' : 'R'}^FS`);
    },
    fillBox: (...rectangle) => box(rectangle, 'B'),
    clearBox: (...rectangle) => box(rectangle, 'W'),
    code128(text, left, top, width, height) {
      const { module, start } = placeCode128(text, left, width);
      write(`${at(start, top)}^BY${dots(module)}^BCN,${dots(height)},N,N,N,N^FH^FD${toFieldData(text)}^FS`);
    },
    qr(text, left, top, size) {
      const modules = qrModules(text).length;
      const module = Math.min(LARGEST_QR_MODULE, Math.floor(dots(size) / modules));
      const space = (size - modules * module * DOT) / 2;
      write(`${at(left + space, top + space)}^BQN,2,${module}^FH^FDMA,${toFieldData(text)}^FS`);
    },
  };
  return sheet;
}
