import type { Label } from '../label.ts';
import { DOT } from '../page/codes.ts';
import { drawLabel } from '../page/draw-label.ts';
import { PAGE } from '../page/page-size.ts';
import { toPrintable } from './printable-text.ts';
import { createZplSheet } from './zpl-sheet.ts';

/** UTF-8 text, and the label's size and origin, whatever the previous job has set. */
const SET_UP = `^CI28^PW${PAGE.width / DOT}^LL${PAGE.height / DOT}^LH0,0`;

/** Labels as ZPL for thermal printers of 203 dpi, with the layout of the PDF. The file is ASCII only. */
export async function* writeZpl(labels: Iterable<Label>): AsyncGenerator<Buffer> {
  for (const label of labels) {
    const commands: string[] = [];
    drawLabel(
      createZplSheet((command) => commands.push(command)),
      inPrintableText(label),
    );
    yield Buffer.from(['^XA', SET_UP, ...commands, '^PQ1', '^XZ', ''].join('\n'));
  }
}

/** Before the layout, which measures the text that will be printed. */
const inPrintableText = (label: Label): Label =>
  JSON.parse(JSON.stringify(label), (_name, value: unknown) =>
    typeof value === 'string' ? toPrintable(value) : value,
  ) as Label;
