import type { FeedEvent } from '../api.ts';
import { pause } from '../pause.ts';
import { isAccepted, type Reply, sendWebhook, webhookHeaders } from '../send-webhook.ts';

/** The service's own rules: docs/webhooks.md. */
const TIMEOUT_MS = 5_000;
const CONTRACT_DELAYS_MS = [0, 1_000, 2_000];
const MOST_DELAY_MS = 30_000;

export type RetryPolicy = 'until-accepted' | 'contract';

export interface Forwarding {
  target: URL;
  secret: string;
  retry: RetryPolicy;
  signal: AbortSignal;
  onAttempt: (attempt: number, reply: Reply) => void;
}

/**
 * Sends an event until it gets a 2xx. With the policy `contract` it is dropped after three attempts, as the service does.
 * Each attempt has a signature of its own.
 */
export async function forward(
  { target, secret, retry, signal, onAttempt }: Forwarding,
  { event, body }: FeedEvent,
): Promise<'accepted' | 'dropped' | 'stopped'> {
  const bytes = Buffer.from(body);
  for (let attempt = 1; ; attempt++) {
    const delay = delayBefore(attempt, retry);
    if (delay === null) return 'dropped';
    await pause(delay, signal);
    if (signal.aborted) return 'stopped';
    const headers = await webhookHeaders(secret, event, bytes);
    const reply = await sendWebhook({ url: target, headers, body: bytes, timeoutMs: TIMEOUT_MS });
    onAttempt(attempt, reply);
    if (isAccepted(reply)) return 'accepted';
  }
}

function delayBefore(attempt: number, retry: RetryPolicy): number | null {
  if (retry === 'contract') return CONTRACT_DELAYS_MS[attempt - 1] ?? null;
  return attempt === 1 ? 0 : Math.min(1_000 * 2 ** (attempt - 2), MOST_DELAY_MS);
}
