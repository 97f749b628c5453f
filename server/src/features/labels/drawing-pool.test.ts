import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { label } from '../../../test/label-samples.ts';
import { faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { createDrawingPool } from './drawing-pool.ts';
import type { Label } from './label.ts';

const ACCOUNT = 'an account';

const drawing = createDrawingPool(1);
afterAll(() => drawing.stop());

const many = (count: number) => Array.from({ length: count }, () => label());
const collect = async (labels: Label[]) => Buffer.concat(await drawing.draw(ACCOUNT, labels).toArray());

describe('a drawing thread', () => {
  test('draws complete documents, many at a time', async () => {
    const documents = await Promise.all([1, 30, 200].map((count) => collect(many(count))));
    for (const [i, pages] of [1, 30, 200].entries()) {
      expect(await faultsOfPdf(documents[i] as Buffer)).toBe('');
      expect(await textOfPages(documents[i] as Buffer)).toHaveLength(pages);
    }
  });

  test('draws a single label while a thousand others are under way', async () => {
    const ended: string[] = [];
    const large = collect(many(1_000)).then(() => ended.push('a thousand'));
    const small = drawing.drawFile(ACCOUNT, label()).then(() => ended.push('one'));
    await Promise.all([large, small]);
    expect(ended).toEqual(['one', 'a thousand']);
  });

  test('applies backpressure, and stops when the reader disconnects', async () => {
    const document = drawing.draw(ACCOUNT, many(1_000));
    await once(document, 'readable');
    let waiting = -1;
    while (waiting !== document.readableLength) {
      waiting = document.readableLength;
      await setTimeout(100);
    }
    expect(waiting).toBeLessThan(400_000); // of some three million bytes
    document.destroy();
    await once(document, 'close');
    expect((await drawing.drawFile(ACCOUNT, label())).length).toBeGreaterThan(1_000);
  });

  test('ends a document whose reader has stopped reading', async () => {
    const impatient = createDrawingPool(1, 50);
    const document = impatient.draw(ACCOUNT, many(1_000));
    await once(document, 'readable');
    const [error] = await once(document, 'error');
    expect(String(error)).toMatch(/stopped reading/);
    await impatient.stop();
  });

  test('a label that cannot be drawn fails its own document only', async () => {
    const broken = { ...label(), referenceNumber: 'é' };
    await expect(collect([label(), broken])).rejects.toThrow(/could not be drawn/);
    expect((await drawing.drawFile(ACCOUNT, label())).length).toBeGreaterThan(1_000);
  });

  test('that is terminated fails its document, and the next document starts a new thread', async () => {
    const other = createDrawingPool(1);
    const document = other.draw(ACCOUNT, many(1_000));
    await once(document, 'readable');
    const failed = once(document, 'error').catch((error: unknown) => [error]);
    await other.stop();
    expect(String((await failed)[0])).toMatch(/ended in the middle/);
    expect((await other.drawFile(ACCOUNT, label())).length).toBeGreaterThan(1_000);
    await other.stop();
  });
});
