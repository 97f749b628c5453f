import encodeQr from 'qr';
import type { Rectangle, Sheet } from '../../../pdf/sheet.ts';
import { code128 } from './code-128.ts';

/** The surface of a label: a page, or the commands of a printer that draws codes itself. */
export interface LabelSheet extends Omit<Sheet, 'fillRectangles'> {
  /** Centred in the width, with the widest bars that fit. The caller leaves the quiet zone around it. */
  code128(text: string, left: number, top: number, width: number, height: number): void;
  qr(text: string, left: number, top: number, size: number): void;
}

export const withCodes = (sheet: Sheet): LabelSheet => ({
  ...sheet,
  code128: (...code) => drawCode128(sheet, ...code),
  qr: (...code) => drawQr(sheet, ...code),
});

export const DOT = 0.125; // mm: thermal printers have 8 dots per millimetre, and bars of whole dots print sharply

/** The bars of a code, and the place and width that they get. */
export function placeCode128(text: string, left: number, width: number) {
  const widths = code128(text);
  const modules = widths.reduce((sum, bar) => sum + bar, 0);
  const module = Math.floor(width / modules / DOT) * DOT;
  return { widths, module, start: left + (width - modules * module) / 2 };
}

function drawCode128(sheet: Sheet, text: string, left: number, top: number, width: number, height: number): void {
  const { widths, module, start } = placeCode128(text, left, width);
  let x = start;
  const bars: Rectangle[] = [];
  for (const [i, count] of widths.entries()) {
    if (i % 2 === 0) bars.push([x, top, count * module, height]);
    x += count * module;
  }
  sheet.fillRectangles(bars);
}

/** The modules of a code, without the frame that the library adds. */
export function qrModules(text: string): boolean[][] {
  const framed = encodeQr(text, 'raw', { ecc: 'medium', border: 1 });
  return framed.slice(1, -1).map((row) => row.slice(1, -1));
}

function drawQr(sheet: Sheet, text: string, left: number, top: number, size: number): void {
  const rows = qrModules(text);
  const module = size / rows.length;
  const runs = rows.flatMap((row, y) =>
    darkRuns(row).map(
      ([start, length]): Rectangle => [left + start * module, top + y * module, length * module, module],
    ),
  );
  sheet.fillRectangles(runs);
}

/** Joins neighbouring dark modules into one rectangle: fewer to draw, and no hairlines between them. */
function darkRuns(row: boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, dark] of row.entries()) {
    const last = runs.at(-1);
    if (!dark) continue;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  }
  return runs;
}
