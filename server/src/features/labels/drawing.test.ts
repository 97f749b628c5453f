import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { label } from '../../../test/label-samples.ts';
import { faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { createDrawing } from './drawing.ts';
import type { Label } from './label.ts';

const drawing = createDrawing(1);
afterAll(() => drawing.stop());

const many = (count: number) => Array.from({ length: count }, () => label());
const collect = async (labels: Label[]) => Buffer.concat(await drawing.draw(labels).toArray());

describe('a drawing thread', () => {
  test('gives whole documents, many at a time', async () => {
    const documents = await Promise.all([1, 30, 200].map((count) => collect(many(count))));
    for (const [i, pages] of [1, 30, 200].entries()) {
      expect(await faultsOfPdf(documents[i] as Buffer)).toBe('');
      expect(await textOfPages(documents[i] as Buffer)).toHaveLength(pages);
    }
  });

  test('draws a single label while a thousand others are under way', async () => {
    const ended: string[] = [];
    const large = collect(many(1_000)).then(() => ended.push('a thousand'));
    const small = drawing.drawFile(label()).then(() => ended.push('one'));
    await Promise.all([large, small]);
    expect(ended).toEqual(['one', 'a thousand']);
  });

  test('draws no further ahead than its reader reads, and stops when the reader goes away', async () => {
    const document = drawing.draw(many(1_000));
    await once(document, 'readable');
    let waiting = -1;
    while (waiting !== document.readableLength) {
      waiting = document.readableLength;
      await setTimeout(100);
    }
    expect(waiting).toBeLessThan(400_000); // of some three million bytes
    document.destroy();
    await once(document, 'close');
    expect((await drawing.drawFile(label())).length).toBeGreaterThan(1_000);
  });

  test('a label that cannot be drawn fails its own document only', async () => {
    const broken = { ...label(), referenceNumber: 'é' };
    await expect(collect([label(), broken])).rejects.toThrow(/could not be drawn/);
    expect((await drawing.drawFile(label())).length).toBeGreaterThan(1_000);
  });

  test('that was ended leaves its document unfinished and known to be so, and the next one starts anew', async () => {
    const other = createDrawing(1);
    const document = other.draw(many(1_000));
    await once(document, 'readable');
    const failed = once(document, 'error').catch((error: unknown) => [error]);
    await other.stop();
    expect(String((await failed)[0])).toMatch(/ended in the middle/);
    expect((await other.drawFile(label())).length).toBeGreaterThan(1_000);
    await other.stop();
  });
});
