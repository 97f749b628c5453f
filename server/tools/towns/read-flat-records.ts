import { createReadStream } from 'node:fs';

/**
 * Reads a JSON array of objects that hold no other object, piece by piece, parsing only the items that match `wanted`.
 * Parsing a 17 MB file at once would stop the process for a quarter of a second, and hold in memory a world of which
 * 95% is then dropped.
 */
export async function* readFlatRecords<Item>(file: string, wanted: RegExp): AsyncGenerator<Item> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    rest += chunk;
    const end = rest.lastIndexOf('}') + 1;
    for (const [item] of rest.slice(0, end).matchAll(/\{[^}]*\}/g)) {
      if (wanted.test(item)) yield JSON.parse(item);
    }
    rest = rest.slice(end);
  }
}
