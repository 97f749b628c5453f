import type { FastifyInstance } from 'fastify';
import type { Counter } from 'prom-client';
import { type StripeClient, StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import { UnreadableAnswer } from '../../adapters/stripe/stripe-objects.ts';
import { isSignedByStripe } from '../../adapters/stripe/stripe-signature.ts';
import type { Database } from '../../database/database.ts';
import { refuseWithMessage } from '../../refusals/refusal.ts';
import { handleStripeEvent, type StripeEvent } from './handle-event.ts';

const STRIPE_EVENTS_PATH = '/stripe/events';
const BODY_MAX_BYTES = 256 * 1024; // Stripe's largest events take some ten kilobytes

export interface StripeEventsOptions {
  db: Database;
  stripe: StripeClient;
  webhookSecrets: readonly string[];
  events: Counter<'outcome'>;
  now: () => Date;
}

/** Stripe's endpoint. The signature covers the exact bytes, so the body is not parsed before it is verified. */
export function serveStripeEvents(app: FastifyInstance, options: StripeEventsOptions): void {
  const { db, stripe, webhookSecrets, events, now } = options;
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(STRIPE_EVENTS_PATH, { bodyLimit: BODY_MAX_BYTES }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = String(request.headers['stripe-signature'] ?? '');
      if (!isSignedByStripe(body, header, webhookSecrets, now())) {
        events.inc({ outcome: 'unsigned' });
        return refuseWithMessage(400, 'Signature absente, incorrecte ou trop ancienne.');
      }
      const event = parseEvent(body) ?? refuseWithMessage(400, 'Événement illisible.');
      try {
        const outcome = await handleStripeEvent({ db, stripe }, event, now());
        events.inc({ outcome });
        return reply.send({ received: true });
      } catch (error) {
        events.inc({ outcome: 'failed' });
        if (error instanceof UnreadableAnswer) {
          request.log.error({ event: event.id, type: event.type, field: error.message }, 'unreadable event of Stripe');
          return refuseWithMessage(400, 'Événement illisible.');
        }
        if (!(error instanceof StripeFailure)) throw error;
        request.log.warn({ event: event.id, code: error.code }, 'an event of Stripe waits: Stripe did not answer');
        return refuseWithMessage(503, 'Réessayez plus tard.'); // Stripe sends it again for three days
      }
    });
  });
}

function parseEvent(body: Buffer): StripeEvent | null {
  try {
    const { id, type, data } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const object = (data as { object?: unknown } | undefined)?.object;
    const isNamed = typeof id === 'string' && /^evt_\w{1,200}$/.test(id) && typeof type === 'string';
    const isComplete = typeof object === 'object' && object !== null;
    return isNamed && isComplete && type.length <= 100 ? { id, type, data: { object } } : null;
  } catch {
    return null;
  }
}
