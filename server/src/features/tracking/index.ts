import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { REPORT_KINDS } from '@navette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileStore } from '../../adapters/files/file-store.ts';
import { accountTime } from '../../calendar/twin-clock.ts';
import { findMovedLink } from '../../cells/moved-link.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { chooseLanguage } from '../../http/choose-language.ts';
import { createFailedAttempts } from '../../http/failed-attempts.ts';
import { causeOf, createFailureLog } from '../../observability/failure-log.ts';
import type { Arrivals } from '../arrival/index.ts';
import { readPhotoForTokenHolder } from '../proofs/index.ts';
import { saveReportForTokenHolder } from '../recipient-reports/index.ts';
import { readSignedReference, signDeliveryQr, signReference } from '../shipments/index.ts';
import { NOTHING_YET, readAftermath } from './aftermath.ts';
import {
  findLogoForTokenHolder,
  findShipmentForTokenHolder,
  isArchivedForTokenHolder,
  type Viewer,
} from './find-tracked-shipment.ts';
import { type LivePositions, positionToShow } from './live-position.ts';
import { createLocalTime } from './local-time.ts';
import { CONTENT_SECURITY_POLICY, liveMarkup, noticePage, page, tagOf } from './page.ts';
import type { View } from './page-parts.ts';
import { mayWriteNote, saveNoteForTokenHolder } from './recipient-note.ts';
import { createStreets } from './streets.ts';
import { WORDS, type Words } from './words.ts';

export type { LivePositions } from './live-position.ts';

export interface TrackingOptions {
  db: Database;
  config: Pick<Config, 'linkSecrets' | 'timeZone' | 'trackingLinkDays' | 'map'>;
  positions: LivePositions;
  arrivals: Arrivals;
  proofStore: FileStore;
  now: () => Date;
}

type Request = FastifyRequest<{ Params: { token: string; photo?: string }; Querystring: { lang?: unknown } }>;
type Notice = keyof Words['notices'];

const FORMS_PER_MINUTE = 20; // per client address; each is a write
const WRONG_LINKS_PER_MINUTE = 30; // per client address; more than anybody mistypes
const MOST_FORM_BYTES = 8_192; // 500 characters of any script, escaped
const DAY_MS = 86_400_000;
const NOTICES: Record<Notice, number> = { unknown: 404, expired: 410, tooMany: 429, failed: 503 };
const compress = promisify(gzip);

/** Serves the page of a link: of a message to a recipient or to the contact of a collection, or one that the merchant shares. */
export function serveTracking(app: FastifyInstance, options: TrackingOptions): void {
  const { db, config, positions, arrivals, proofStore, now } = options;
  const { linkSecrets, timeZone, trackingLinkDays } = config;
  const wrongLinks = createFailedAttempts(WRONG_LINKS_PER_MINUTE, now);
  const streets = createStreets(config.map.tilesFile, app.log);
  app.addHook('onClose', () => streets.close());
  const forms = createFailedAttempts(FORMS_PER_MINUTE, now);

  /** The data that the link allows to see, or the notice to show instead. */
  async function readView(request: Request): Promise<View | Notice> {
    const { token } = request.params;
    const { reference, viewer } = readToken(linkSecrets, token);
    // A valid link is never throttled: recipients may share an address with somebody who guesses links.
    const shipment = reference && (await findShipmentForTokenHolder(db, reference));
    if (reference && (!shipment || shipment.isMoved)) {
      const url = await findMovedLink(db, reference, request.url);
      if (url) throw new MovedLink(url);
    }
    if (!shipment) {
      if (reference && (await isArchivedForTokenHolder(db, reference))) return 'expired';
      return wrongLinks.take(request.ip) ? 'unknown' : 'tooMany';
    }
    const at = accountTime(shipment.clock, now());
    if (shipment.isErased) return 'expired';
    if (shipment.endedAt && at.getTime() - shipment.endedAt.getTime() > trackingLinkDays * DAY_MS) return 'expired';
    const language = chooseLanguage(request.query.lang, request.headers['accept-language']);
    const isExpected = viewer !== 'contact' && shipment.driver !== null && shipment.endedAt === null;
    const [position, expected, aftermath] = await Promise.all([
      positionToShow(positions, viewer, shipment, now()),
      isExpected && shipment.driver ? arrivals.ofDrivers([shipment.driver.id], now()) : null,
      viewer === 'recipient' && shipment.endedAt ? readAftermath(db, shipment) : NOTHING_YET,
    ]);
    const arrival = expected?.get(shipment.id) ?? null;
    const destination = shipment.delivery.coordinates;
    return {
      shipment,
      viewer,
      position,
      streets: position && destination ? await streets.draw(position, destination) : null,
      arrival,
      aftermath,
      mayWriteNote: mayWriteNote(shipment, viewer, arrival, at),
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
        if (error instanceof MovedLink) return withPrivateHeaders(reply).redirect(error.url, 308);
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

      const formType = 'application/x-www-form-urlencoded';
      pages.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: MOST_FORM_BYTES }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      pages.post('/:token/note', async (request: Request, reply) => {
        const view = await readView(request);
        if (typeof view === 'string') return notice(request, reply, view);
        if (!forms.take(request.ip)) return notice(request, reply, 'tooMany');
        const note = fieldOf(request, 'note');
        if (note !== null && view.mayWriteNote) await saveNoteForTokenHolder(db, view.shipment.id, note, now());
        return withPrivateHeaders(reply).redirect(`/t/${request.params.token}?lang=${view.language}`, 303);
      });

      pages.post('/:token/report', async (request: Request, reply) => {
        const view = await readView(request);
        if (typeof view === 'string') return notice(request, reply, view);
        if (!forms.take(request.ip)) return notice(request, reply, 'tooMany');
        const kind = REPORT_KINDS.find((one) => one === fieldOf(request, 'kind'));
        if (kind && view.aftermath.mayReport)
          await saveReportForTokenHolder(
            db,
            view.shipment.id,
            { kind, message: fieldOf(request, 'message') ?? '' },
            now(),
          );
        return withPrivateHeaders(reply).redirect(`/t/${request.params.token}?lang=${view.language}#report`, 303);
      });

      pages.get('/:token/photos/:photo', async (request: Request, reply) => {
        const view = await readView(request);
        const shown = typeof view === 'string' ? [] : (view.aftermath.handover?.photos ?? []);
        const id = shown.find((one) => one === request.params.photo);
        if (typeof view === 'string' || !id) return notice(request, reply, 'unknown');
        const photo = await readPhotoForTokenHolder(db, proofStore, view.shipment, id);
        if (!photo) return notice(request, reply, 'unknown');
        const headers = { 'x-content-type-options': 'nosniff' };
        return withPrivateHeaders(reply).headers(headers).type(photo.contentType).send(photo.bytes);
      });

      pages.get('/:token/logo', async (request: Request, reply) => {
        const view = await readView(request);
        const logo = typeof view === 'string' ? null : await findLogoForTokenHolder(db, view.shipment.id);
        if (!logo) return notice(request, reply, 'unknown');
        const headers = { 'cache-control': 'private, max-age=3600', 'x-content-type-options': 'nosniff' };
        return withPrivateHeaders(reply).headers(headers).type(logo.contentType).send(logo.bytes);
      });

      pages.get('/:token/state', async (request: Request, reply) => {
        const view = await readView(request);
        if (typeof view === 'string') return notice(request, reply, view);
        const markup = liveMarkup(view, `/t/${request.params.token}`);
        const tag = tagOf(markup);
        reply.header('etag', tag);
        if (request.headers['if-none-match'] === tag) return withPrivateHeaders(reply).status(304).send();
        return send(request, reply, markup);
      });
    },
    { prefix: '/t' },
  );
}

/** The shipment is in another cell, whose page the link opens. */
class MovedLink extends Error {
  readonly url: string;
  constructor(url: string) {
    super('the shipment is in another cell');
    this.url = url;
  }
}

const VIEWERS = { track: 'recipient', collect: 'contact', share: 'guest' } as const;

/** The shipment of the link, and what its holder may see; null when nobody signed it. */
function readToken(secrets: string[], token: string): { reference: string | null; viewer: Viewer } {
  for (const [purpose, viewer] of Object.entries(VIEWERS)) {
    const reference = readSignedReference(secrets, purpose as keyof typeof VIEWERS, token);
    if (reference) return { reference, viewer };
  }
  return { reference: null, viewer: 'guest' };
}

const fieldOf = ({ body }: Request, name: string): string | null =>
  body instanceof URLSearchParams ? body.get(name) : null;

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
