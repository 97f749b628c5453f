import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { createFailedAttempts } from '../../http/failed-attempts.ts';
import { readSignedReference, signReference } from '../shipments/index.ts';
import { findShipmentForTokenHolder } from './find-tracked-shipment.ts';
import { chooseLanguage } from './language.ts';
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

const WRONG_LINKS_PER_MINUTE = 30; // per client address; nobody mistypes more often
const DAY_MS = 86_400_000;
const NOTICES: Record<Notice, number> = { unknown: 404, expired: 410, tooMany: 429, failed: 503 };
const compress = promisify(gzip);

/** The page behind the link of a message, for whoever waits for a parcel and whoever hands one over. */
export function serveTracking(app: FastifyInstance, { db, config, positions, now }: TrackingOptions): void {
  const { linkSecrets, timeZone, trackingLinkDays } = config;
  const wrongLinks = createFailedAttempts(WRONG_LINKS_PER_MINUTE, now);

  /** What the bearer of the link may see, or the notice they get instead. */
  async function look(request: Request): Promise<View | Notice> {
    const { token } = request.params;
    const asRecipient = readSignedReference(linkSecrets, 'track', token);
    const reference = asRecipient ?? readSignedReference(linkSecrets, 'collect', token);
    // A good link opens at any time: the neighbours of a guesser, behind the same address, wait for their parcels.
    const shipment = reference && (await findShipmentForTokenHolder(db, reference));
    if (!shipment) {
      if (wrongLinks.exhausted(request.ip)) return 'tooMany';
      wrongLinks.count(request.ip);
      return 'unknown';
    }
    const at = now();
    if (shipment.endedAt && at.getTime() - shipment.endedAt.getTime() > trackingLinkDays * DAY_MS) return 'expired';
    const viewer = asRecipient ? 'recipient' : 'contact';
    const language = chooseLanguage(request.query.lang, request.headers['accept-language']);
    return {
      shipment,
      viewer,
      position: await positionToShow(positions, viewer, shipment, at),
      pickupToken: viewer === 'contact' ? signReference(linkSecrets, 'pick-up', shipment.referenceNumber) : null,
      language,
      words: WORDS[language],
      time: createLocalTime(language, timeZone, at),
    };
  }

  void app.register(
    async (pages) => {
      pages.setErrorHandler(async (error, request, reply) => {
        request.log.error({ reqId: request.id, err: error }, 'request failed');
        return notice(request as Request, reply, 'failed');
      });
      pages.setNotFoundHandler((request, reply) => notice(request as Request, reply, 'unknown'));

      pages.get('/:token', async (request: Request, reply) => {
        const view = await look(request);
        if (typeof view === 'string') return notice(request, reply, view);
        return send(
          request,
          reply,
          page(view, { language: view.language, path: `/t/${request.params.token}`, timeZone }),
        );
      });

      pages.get('/:token/state', async (request: Request, reply) => {
        const view = await look(request);
        if (typeof view === 'string') return notice(request, reply, view);
        const markup = liveMarkup(view);
        const tag = tagOf(markup);
        reply.header('etag', tag);
        if (request.headers['if-none-match'] === tag) return closed(reply).status(304).send();
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

/** Kept by nobody, found by no search engine, and telling the next site nothing. */
function closed(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    vary: 'accept-language, accept-encoding',
  });
}

/** A third of the bytes for a phone at the edge of the network. */
async function send(request: FastifyRequest, reply: FastifyReply, markup: string) {
  closed(reply).type('text/html; charset=utf-8');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(markup);
  return reply.header('content-encoding', 'gzip').send(await compress(markup));
}
