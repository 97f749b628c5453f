import { readTextUpTo } from '../read-text-up-to.ts';
import type { SendOutcome } from '../send-outcome.ts';
import type { SmsSender } from './sms-sender.ts';

const ANSWER_MAX_BYTES = 512 * 1024; // a page of fifty messages takes about 50 kB
const TEMPORARY = new Set([14107, 20429, 30001, 30022]); // rate limits and full queues, reported as a 400
const CONFIGURATION = new Set([21603, 21606, 21212, 21659, 21661]); // our sender is invalid: the operator can fix it

export interface TwilioOptions {
  /** `https://api.twilio.com`, or a service with the same protocol. */
  baseUrl: string;
  accountSid: string;
  authToken: string;
  /** A number, a name, or a messaging service (`MG…`). */
  sender: string;
  /** Of one attempt, response included. */
  timeoutMs?: number;
}

interface Answer {
  status: number;
  retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a provider's response, of which a few fields are read with checks
  body: any;
}

/**
 * Twilio's REST protocol (`POST /2010-04-01/Accounts/{sid}/Messages.json`). It has no idempotency key, but it lists sent
 * messages: after a lost response the message is searched by number and text. The text is unique, because it contains a
 * link of its own.
 */
export function createTwilioSender({
  baseUrl,
  accountSid,
  authToken,
  sender,
  timeoutMs = 10_000,
}: TwilioOptions): SmsSender {
  const messages = new URL(`${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`);
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const from: Record<string, string> = /^MG\w{32}$/.test(sender) ? { MessagingServiceSid: sender } : { From: sender };

  async function call(url: URL, form?: Record<string, string>): Promise<Answer> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { authorization },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      redirect: 'error', // credentials and numbers must not go to another host
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readTextUpTo(response, ANSWER_MAX_BYTES);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parse(text) };
  }

  return {
    provider: 'twilio',
    async send({ to, text }) {
      try {
        return toOutcome(await call(messages, { To: to, Body: text, ...from }));
      } catch (error) {
        return networkOutcome(error);
      }
    },
    async find({ to, text }) {
      const url = new URL(messages);
      url.searchParams.set('To', to);
      url.searchParams.set('PageSize', '50');
      const { status, body } = await call(url);
      if (status !== 200 || !Array.isArray(body?.messages)) throw new Error(`twilio cannot list messages: ${status}`);
      const found = body.messages.find((message: { to?: unknown; body?: unknown }) => message.body === text);
      return found ? String(found.sid) : null;
    },
    async check() {
      const url = new URL(messages);
      url.searchParams.set('PageSize', '1');
      const { status } = await call(url);
      if (status !== 200) throw new Error(`twilio responded with ${status}`);
    },
    async close() {},
  };
}

function toOutcome({ status, retryAfter, body }: Answer): SendOutcome {
  const code = Number.isInteger(body?.code) ? Number(body.code) : null;
  const reason = `twilio ${status}${code === null ? '' : ` ${code}`}`;
  if (status === 200 || status === 201) {
    return typeof body?.sid === 'string' ? { kind: 'accepted', providerId: body.sid } : { kind: 'unknown', reason };
  }
  if (status === 429 || status === 503 || (code !== null && TEMPORARY.has(code))) {
    return { kind: 'postponed', reason, ...retryIn(retryAfter) };
  }
  if (status >= 500) return { kind: 'unknown', reason };
  const isFixable = status === 401 || status === 403 || status === 404 || (code !== null && CONFIGURATION.has(code));
  return isFixable ? { kind: 'postponed', reason } : { kind: 'refused', reason };
}

function retryIn(retryAfter: string | null): { retryAfterMs?: number } {
  const seconds = Number(retryAfter);
  return retryAfter && Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
}

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The error's code only: its message may contain the URL. */
function networkOutcome(error: unknown): SendOutcome {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? cause.code : name;
  return { kind: NOT_SENT.has(code) ? 'postponed' : 'unknown', reason: `network ${code}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
