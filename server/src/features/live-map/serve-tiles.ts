import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { readByteRange } from '../../http/byte-range.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';

/**
 * Parts of the operator's PMTiles file. Its reader asks for parts only, so the whole file, which may have 100 GB, is never
 * sent. The tag changes with the file: the reader then reads its directory again.
 */
export function serveTiles(app: FastifyInstance, file: string): void {
  bindConsole(app, 'readMapTiles', async ({ request, answerWith }) => {
    const found = file === '' ? null : await stat(file).catch(() => null);
    if (!found?.isFile()) return refuseAsNotFound();
    const { size, mtimeMs } = found;
    const { 'if-none-match': known, range } = request.headers;
    const etag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
    const headers = { etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' };
    if (known === etag) return answerWith(304, headers, null);
    const part = range === undefined ? 'unsatisfiable' : (readByteRange(range, size) ?? 'unsatisfiable');
    if (part === 'unsatisfiable') return answerWith(416, { ...headers, 'content-range': `bytes */${size}` }, null);
    const { start, end } = part;
    const described = {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    };
    return answerWith(206, described, createReadStream(file, { start, end }));
  });
}
