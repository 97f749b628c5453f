import { expect, test } from 'vitest';
import { readCsvFile } from './read-csv-file.ts';

test('accents are decoded from UTF-8 and from Windows-1252 files', async () => {
  expect(await readCsvFile(new Blob(['Zoé;Élodie']))).toEqual({ text: 'Zoé;Élodie' });
  const windows = Uint8Array.from([0x5a, 0x6f, 0xe9, 0x3b, 0x80]); // Zoé;€
  expect(await readCsvFile(new Blob([windows]))).toEqual({ text: 'Zoé;€' });
});

test('binary and oversized files are rejected', async () => {
  expect(await readCsvFile(new Blob([Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])]))).toEqual({ unusable: 'notText' });
  expect(await readCsvFile(new Blob(['x'.repeat(8 * 1024 * 1024 + 1)]))).toEqual({ unusable: 'tooLarge' });
});
