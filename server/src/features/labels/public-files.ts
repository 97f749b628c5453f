import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import parseRange from 'range-parser';
import { createNameGuard } from '../../http/name-guard.ts';
import { refuseWithMessage } from '../../http/refusal.ts';
import type { LabelFiles } from './label-files.ts';
import { findLabelByFileName } from './read-labels.ts';

export interface PublicFilesOptions {
  pool: pg.Pool;
  files: LabelFiles;
  timeZone: string;
  now: () => Date;
}

const WRONG_NAMES_PER_MINUTE = 30; // per client address; after a mistyped link or two nobody honest gets here

/**
 * Label files, for whoever has their address: it ends in 128 random bits. No list, no hint, no search engine, and an
 * address that keeps asking for what does not exist is not answered for the rest of the minute.
 */
export function servePublicFiles(app: FastifyInstance, { pool, files, timeZone, now }: PublicFilesOptions): void {
  const lookUp = createNameGuard(WRONG_NAMES_PER_MINUTE, now);

  app.get('/pdfs/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
    const stored = await lookUp(request.ip, () => findLabelByFileName(pool, request.params.name, timeZone));
    if (!stored) return refuseWithMessage(404, 'Fichier introuvable.');
    const file = await files(stored);
    const isDownload = 'download' in (request.query as Record<string, unknown>);
    reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${displayNameOf(stored.label)}"`,
      'cache-control': 'private, no-cache', // a cancelled label must not be printed from a cache
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    return sendPart(request, reply, file);
  });
}

export const displayNameOf = ({ referenceNumber }: { referenceNumber: string }) => `bordereau_${referenceNumber}.pdf`;

/**
 * Whether If-None-Match has the tag. A proxy that compresses makes it weak (W/"…"), and clients send it back so. Split
 * at commas alone: a pattern with the spaces around them takes a second for a header full of spaces.
 */
const hasTag = (list: string, etag: string) =>
  list.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag);

/** The whole file, the one part that was asked for, or nothing when the client has it already. */
function sendPart({ method, headers }: FastifyRequest, reply: FastifyReply, file: Buffer): FastifyReply {
  const etag = `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', etag);
  if (hasTag(headers['if-none-match'] ?? '', etag)) {
    return reply.status(304).send();
  }
  const asksForPart = method === 'GET' && (headers['if-range'] ?? etag) === etag;
  const wanted = asksForPart && headers.range ? parseRange(file.length, headers.range) : -2;
  if (wanted === -1) return reply.status(416).header('content-range', `bytes */${file.length}`).send();
  const [part] = Array.isArray(wanted) && wanted.length === 1 && wanted.type === 'bytes' ? wanted : [];
  if (!part) return reply.send(file);
  return reply
    .status(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${file.length}`)
    .send(file.subarray(part.start, part.end + 1));
}
