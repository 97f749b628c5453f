import { createHash } from 'node:crypto';
import { DASHBOARD_SLUGS } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { findMovedLink } from '../../cells/moved-link.ts';
import type { Database } from '../../database/database.ts';
import { readByteRange } from '../../http/byte-range.ts';
import { createGuessThrottle } from '../../http/guess-throttle.ts';
import { refuseWithMessage } from '../../refusals/refusal.ts';
import type { LabelFiles } from './label-files.ts';
import { findLabelByFileName, referenceOfFile } from './read-labels.ts';

export interface PublicFilesOptions {
  db: Database;
  pool: pg.Pool;
  files: LabelFiles;
  timeZone: string;
  now: () => Date;
}

const WRONG_NAMES_PER_MINUTE = 30; // per client IP address; honest clients mistype a link or two

/**
 * Serves label files to anyone with the URL, which contains 128 random bits. There is no listing, search engines are
 * excluded, and a client IP address that requests too many unknown names is throttled for the rest of the minute.
 */
export function servePublicFiles(app: FastifyInstance, { db, pool, files, timeZone, now }: PublicFilesOptions): void {
  const lookUp = createGuessThrottle(WRONG_NAMES_PER_MINUTE, now);

  app.get('/pdfs/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
    const stored = await lookUp(request.ip, () => findLabelByFileName(pool, request.params.name, timeZone));
    if (!stored) {
      const reference = referenceOfFile(request.params.name);
      const url = reference && (await findMovedLink(db, reference, request.url));
      return url ? reply.redirect(url, 308) : refuseWithMessage(404, 'Fichier introuvable.');
    }
    if (stored.isErased) return refuseWithMessage(410, DASHBOARD_SLUGS.LABEL_ERASED.message);
    const file = await files(stored);
    const isDownload = 'download' in (request.query as Record<string, unknown>);
    reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${displayNameOf(stored.label)}"`,
      'cache-control': 'private, no-cache', // a cache must not serve the label of a shipment that was cancelled meanwhile
      'accept-ranges': 'bytes',
    });
    return sendPart(request, reply, file);
  });
}

export const displayNameOf = ({ referenceNumber }: { referenceNumber: string }) => `bordereau_${referenceNumber}.pdf`;

/**
 * Whether If-None-Match contains the tag. A compressing proxy makes it weak (W/"…"), and clients send it back in that
 * form. Splits at commas only: a pattern that includes the spaces takes a second for a header full of spaces.
 */
const hasTag = (list: string, etag: string) =>
  list.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag);

/** Sends the whole file, the requested range, or 304 when the client already has it. */
function sendPart({ method, headers }: FastifyRequest, reply: FastifyReply, file: Buffer): FastifyReply {
  const etag = `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', etag);
  if (hasTag(headers['if-none-match'] ?? '', etag)) {
    return reply.status(304).send();
  }
  const asksForPart = method === 'GET' && (headers['if-range'] ?? etag) === etag;
  const part = asksForPart && headers.range ? readByteRange(headers.range, file.length) : null;
  if (part === null) return reply.send(file);
  if (part === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${file.length}`).send();
  return reply
    .status(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${file.length}`)
    .send(file.subarray(part.start, part.end + 1));
}
