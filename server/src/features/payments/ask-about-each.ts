import type { FastifyBaseLogger } from 'fastify';
import { StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import { UnreadableAnswer } from '../../adapters/stripe/stripe-objects.ts';

const RUN_MS = 40_000; // the jobs run every minute

/**
 * Calls Stripe about each payment in turn. A failure is logged and concerns that payment only, unless Stripe is unreachable:
 * then the others would wait for their time limit too.
 */
export async function askAboutEach(
  paymentIds: string[],
  log: FastifyBaseLogger,
  ask: (paymentId: string) => Promise<void>,
): Promise<{ asked: number; isUnreachable: boolean }> {
  const started = performance.now();
  let asked = 0;
  for (const payment of paymentIds) {
    if (performance.now() - started > RUN_MS) break;
    try {
      await ask(payment);
      asked++;
    } catch (error) {
      const isUnreachable = error instanceof StripeFailure && error.status === null;
      if (!(error instanceof StripeFailure || error instanceof UnreadableAnswer)) throw error;
      log.warn({ payment, failure: error.message }, 'Stripe did not say what became of a payment');
      if (isUnreachable) return { asked, isUnreachable };
    }
  }
  return { asked, isUnreachable: false };
}
