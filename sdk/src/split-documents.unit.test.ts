import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitDocuments } from './split-documents.ts';

async function* inParts(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const collect = async (text: string, size: number) => {
  const found: unknown[] = [];
  for await (const document of splitDocuments(inParts(text, size))) found.push(document);
  return found;
};

test('any documents arrive unchanged, in parts of any size', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.integer({ min: 1, max: 50 }),
      async (shippings, size) => {
        const text = JSON.stringify({ success: true, shippings });
        expect(await collect(text, size)).toEqual((JSON.parse(text) as { shippings: unknown[] }).shippings);
      },
    ),
  ));

test('a text that ends anywhere before its end is an error', async () => {
  const text = JSON.stringify({ success: true, shippings: [{ a: '}]' }, { b: [1] }] });
  for (let length = 0; length < text.length; length++) {
    await expect(collect(text.slice(0, length), 7)).rejects.toMatchObject({ slug: 'network' });
  }
});
