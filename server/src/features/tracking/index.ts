import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { chooseLanguage } from '../../http/choose-language.ts';
import { createFailedAttempts } from '../../http/failed-attempts.ts';
import { causeOf, createFailureLog } from '../../observability/failure-log.ts';
import { readSignedReference, signDeliveryQr, signReference } from '../shipments/index.ts';
import { findShipmentForTokenHolder } from './find-tracked-shipment.ts';
import { type LivePositions, positionToShow } from './live-position.ts';
import { createLocalTime } from './local-time.ts';
import { CONTENT_SECURITY_POLICY, liveMarkup, noticePage, page, tagOf } from './page.ts';
import type { View } from './page-parts.ts';
import { WORDS, type Words } from './words.ts';

export type { LivePositions } from './live-position.ts';

export interface TrackingOptions {
  db: Database;
  config: Pick<Config, 'linkSecrets' | 'timeZone' | 'trackingLinkDays'>;
  positions: LivePositions;
  now: () => Date;
}

type Request = FastifyRequest<{ Params: { token: string }; Querystring: { lang?: unknown } }>;
type Notice = keyof Words['notices'];

const WRONG_LINKS_PER_MINUTE = 30; // per client address; more than anybody mistypes
const DAY_MS = 86_400_000;
const NOTICES: Record<Notice, number> = { unknown: 404, expired: 410, tooMany: 429, failed: 503 };
const compress = promisify(gzip);

/** Serves the page of a message's link, for recipients and for contacts of collections. */
export function serveTracking(app: FastifyInstance, { db, config, positions, now }: TrackingOptions): void {
  const { linkSecrets, timeZone, trackingLinkDays } = config;
  const wrongLinks = createFailedAttempts(WRONG_LINKS_PER_MINUTE, now);

  /** The data that the link allows to see, or the notice to show instead. */
  async function readView(request: Request): Promise<View | Notice> {
    const { token } = request.params;
    const asRecipient = readSignedReference(linkSecrets, 'track', token);
    const reference = asRecipient ?? readSignedReference(linkSecrets, 'collect', token);
    // A valid link is never throttled: recipients may share an address with somebody who guesses links.
    const shipment = reference && (await findShipmentForTokenHolder(db, reference));
    if (!shipment) {
      return wrongLinks.take(request.ip) ? 'unknown' : 'tooMany';
    }
    const at = now();
    if (shipment.isErased) return 'expired';
    if (shipment.endedAt && at.getTime() - shipment.endedAt.getTime() > trackingLinkDays * DAY_MS) return 'expired';
    const viewer = asRecipient ? 'recipient' : 'contact';
    const language = chooseLanguage(request.query.lang, request.headers['accept-language']);
    return {
      shipment,
      viewer,
      position: await positionToShow(positions, viewer, shipment, at),
      pickupToken: viewer === 'contact' ? signReference(linkSecrets, 'pick-up', shipment.referenceNumber) : null,
      deliveryQr: viewer === 'recipient' ? signDeliveryQr(linkSecrets, shipment.referenceNumber, at) : null,
      language,
      words: WORDS[language],
      time: createLocalTime(language, timeZone, at),
    };
  }

  void app.register(
    async (pages) => {
      const report = createFailureLog(app.log);
      pages.setErrorHandler(async (error, request, reply) => {
        reply.failure = causeOf(error);
        report(error, { reqId: request.id }, 'request failed');
        return notice(request as Request, reply, 'failed');
      });
      pages.setNotFoundHandler((request, reply) => notice(request as Request, reply, 'unknown'));

      pages.get('/:token', async (request: Request, reply) => {
        const view = await readView(request);
        if (typeof view === 'string') return notice(request, reply, view);
        return send(
          request,
          reply,
          page(view, { language: view.language, path: `/t/${request.params.token}`, timeZone }),
        );
      });

      pages.get('/:token/state', async (request: Request, reply) => {
        const view = await readView(request);
        if (typeof view === 'string') return notice(request, reply, view);
        const markup = liveMarkup(view);
        const tag = tagOf(markup);
        reply.header('etag', tag);
        if (request.headers['if-none-match'] === tag) return withPrivateHeaders(reply).status(304).send();
        return send(request, reply, markup);
      });
    },
    { prefix: '/t' },
  );
}

function notice(request: Request, reply: FastifyReply, name: Notice) {
  if (name === 'tooMany' || name === 'failed') reply.header('retry-after', '60');
  reply.status(NOTICES[name]);
  return send(request, reply, noticePage(name, request.query.lang, request.headers['accept-language']));
}

/** Not cached, not indexed by search engines, and without a referrer for the next site. */
function withPrivateHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    vary: 'accept-language, accept-encoding',
  });
}

/** Compressed, a page is a third of its size: for phones with a bad connection. */
async function send(request: FastifyRequest, reply: FastifyReply, markup: string) {
  withPrivateHeaders(reply).type('text/html; charset=utf-8');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(markup);
  return reply.header('content-encoding', 'gzip').send(await compress(markup));
}
