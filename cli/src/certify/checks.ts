import { randomBytes, randomUUID } from 'node:crypto';
import { webhookHeaders } from '../send-webhook.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.ts';
import {
  CONTRACT_LIMIT_MS,
  describeReply,
  makeEvent,
  notAccepted,
  notRefused,
  type SentEvent,
  type Session,
} from './receiver-session.ts';

export interface Check {
  id: string;
  title: string;
  /** The correction to make when it fails. */
  remedy: string;
  /** Cannot be judged when this check has failed. */
  needs?: string;
  needsProcessed?: true;
  /** Returns what was wrong, or null. */
  judge: (session: Session) => Promise<string | null>;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const AT_ONCE_MS = 1_000;
const CONCURRENT = 20;
const LARGE_TEXT = 'é'.repeat(16_384); // 32 KiB; the largest event that the service sends is smaller
const ago = (ms: number) => new Date(Date.now() - ms);
const ACCEPTS = 'accepts-signed';

/** When the attempts of an event are signed: each has a signature of its own. */
const firstTime = ({ timestamp }: SentEvent) => new Date(timestamp);
const secondLater = ({ timestamp }: SentEvent) => new Date(Date.parse(timestamp) + 1_000);
const ATTEMPTS = [firstTime, secondLater];

/** Sends an event whose JSON is written in another way. */
async function sendAs(session: Session, write: (event: SentEvent) => string): Promise<string | null> {
  const event = makeEvent();
  return notAccepted(await session.sendText(event, write(event)));
}

const firstFault = async (faults: readonly Promise<string | null>[]) =>
  (await Promise.all(faults)).find(Boolean) ?? null;
const each = async <T>(items: readonly T[], judge: (item: T) => Promise<string | null>): Promise<string | null> => {
  for (const item of items) {
    const fault = await judge(item);
    if (fault) return fault;
  }
  return null;
};

/** Texts that are the same JSON as `JSON.stringify` makes, in other bytes. */
const spaced = (event: SentEvent) => JSON.stringify(event, null, '\t').replaceAll('\n', '\r\n');
const escaped = (event: SentEvent) =>
  JSON.stringify(event).replaceAll('/', '\\/').replaceAll('é', '\\u00e9').replaceAll('’', '\\u2019');
const withOtherNumbers = (event: SentEvent) => JSON.stringify(event).replace('"price":9.9', '"price":9.90');

export const CHECKS: readonly Check[] = [
  {
    id: 'no-redirect',
    title: 'does not redirect',
    remedy: 'Register the final address of the receiver: the service follows no redirect and counts it as a failure.',
    async judge(session) {
      const { status, headers } = await session.send(makeEvent());
      return status !== null && status >= 300 && status < 400 ? `${status} to ${String(headers.location)}` : null;
    },
  },
  {
    id: ACCEPTS,
    title: 'accepts a correctly signed event',
    remedy:
      'Verify HMAC-SHA256 with the webhook’s secret over the value of X-Service-Timestamp, a dot and the raw body; compare with X-Service-Signature without its prefix "sha256=". Check --secret.',
    needs: 'no-redirect',
    judge: async (session) => notAccepted(await session.send(makeEvent())),
  },
  {
    id: 'accepts-every-event',
    title: 'accepts all five events',
    remedy: 'Answer 2xx to events that your program does not use.',
    needs: ACCEPTS,
    judge: (session) =>
      each(WEBHOOK_EVENTS, async (event) => withName(event, notAccepted(await session.send(makeEvent({ event }))))),
  },
  {
    id: 'raw-body-spacing',
    title: 'verifies the raw body: other white space',
    remedy:
      'Compute the signature over the bytes as received, before any JSON parser; a serialised copy has other bytes.',
    needs: ACCEPTS,
    judge: (session) => sendAs(session, spaced),
  },
  {
    id: 'raw-body-escapes',
    title: 'verifies the raw body: escaped characters',
    remedy:
      'Compute the signature over the bytes as received, before any JSON parser; a serialised copy has other bytes.',
    needs: ACCEPTS,
    judge: (session) => sendAs(session, escaped),
  },
  {
    id: 'raw-body-numbers',
    title: 'verifies the raw body: numbers with a trailing zero',
    remedy:
      'Compute the signature over the bytes as received, before any JSON parser; a serialised copy has other bytes.',
    needs: ACCEPTS,
    judge: (session) => sendAs(session, withOtherNumbers),
  },
  {
    id: 'late-event',
    title: 'accepts an event of an hour ago that was signed now',
    remedy:
      'Use the header X-Service-Timestamp for signature and age, never `timestamp` of the body: it is older on a retry.',
    needs: ACCEPTS,
    judge: async (session) =>
      notAccepted(await session.send(makeEvent({ happenedAt: ago(HOUR_MS) }), { signedAt: new Date() })),
  },
  {
    id: 'clock-difference',
    title: 'accepts a clock that differs by a minute',
    remedy: 'Accept signatures that are up to five minutes older or newer than your clock.',
    needs: ACCEPTS,
    judge: (session) =>
      each([MINUTE_MS, -MINUTE_MS], async (ms) => notAccepted(await session.send(makeEvent({ happenedAt: ago(ms) })))),
  },
  {
    id: 'refuses-bad-signature',
    title: 'refuses a signature of random digits',
    remedy: 'Respond with 401 when the signature does not match, and do nothing with the body.',
    async judge(session) {
      const signature = `sha256=${randomBytes(32).toString('hex')}`;
      return notRefused(await session.send(makeEvent(), { headers: { 'X-Service-Signature': signature } }));
    },
    needs: 'no-redirect',
  },
  {
    id: 'refuses-missing-signature',
    title: 'refuses a request without a signature',
    remedy: 'Respond with 401 when X-Service-Signature is missing or empty.',
    needs: 'no-redirect',
    judge: (session) =>
      each([null, '', 'sha256='], async (value) =>
        notRefused(await session.send(makeEvent(), { headers: { 'X-Service-Signature': value } })),
      ),
  },
  {
    id: 'refuses-missing-timestamp',
    title: 'refuses a request without a timestamp',
    remedy: 'Respond with 401 when X-Service-Timestamp is missing.',
    needs: 'no-redirect',
    judge: async (session) => notRefused(await session.send(makeEvent(), { headers: { 'X-Service-Timestamp': null } })),
  },
  {
    id: 'refuses-wrong-secret',
    title: 'refuses a signature made with another secret',
    remedy: 'Verify with the secret of this webhook only, and never with an empty one.',
    needs: 'no-redirect',
    judge: (session) =>
      each([`not ${session.secret}`, session.secret.slice(0, -1) || 'x'], async (secret) =>
        notRefused(await session.send(makeEvent(), { secret })),
      ),
  },
  {
    id: 'refuses-changed-body',
    title: 'refuses a body that was changed after it was signed',
    remedy: 'Compute the signature over the whole body.',
    needs: 'no-redirect',
    async judge(session) {
      const { body, headers } = await signedEvent(session);
      const changed = body.replace('"price":9.9', '"price":0.9');
      return notRefused(await session.sendBody('shipping.delivered', changed, { headers }));
    },
  },
  {
    id: 'refuses-truncated-signature',
    title: 'refuses the beginning of a correct signature',
    remedy: 'Compare all 64 digits, in constant time (crypto.timingSafeEqual, hash_equals, hmac.compare_digest).',
    needs: 'no-redirect',
    async judge(session) {
      const { body, headers } = await signedEvent(session);
      const beginning = {
        ...headers,
        'X-Service-Signature': headers['X-Service-Signature'].slice(0, 'sha256='.length + 10),
      };
      return notRefused(await session.sendBody('shipping.delivered', body, { headers: beginning }));
    },
  },
  {
    id: 'refuses-body-timestamp',
    title: 'refuses a signature over the timestamp of the body',
    remedy: 'Sign the value of the header X-Service-Timestamp, not `timestamp` of the body.',
    needs: 'no-redirect',
    async judge(session) {
      const { body, headers } = await signedEvent(session, ago(MINUTE_MS));
      const now = { ...headers, 'X-Service-Timestamp': new Date().toISOString() };
      return notRefused(await session.sendBody('shipping.delivered', body, { headers: now }));
    },
  },
  {
    id: 'refuses-old-timestamp',
    title: 'refuses a correct signature of an hour ago',
    remedy:
      'Refuse requests whose X-Service-Timestamp is more than five minutes old: a recorded request could be sent again.',
    needs: 'no-redirect',
    judge: async (session) => notRefused(await session.send(makeEvent(), { signedAt: ago(HOUR_MS) })),
  },
  {
    id: 'refuses-future-timestamp',
    title: 'refuses a correct signature of the next hour',
    remedy: 'Compare the absolute difference between X-Service-Timestamp and your clock with five minutes.',
    needs: 'no-redirect',
    judge: async (session) => notRefused(await session.send(makeEvent(), { signedAt: ago(-HOUR_MS) })),
  },
  {
    id: 'get-is-no-event',
    title: 'does not treat a GET as an event',
    remedy: 'Accept POST only, and respond with 405 to other methods.',
    needs: 'no-redirect',
    judge: async (session) => notRefused(await session.sendBody('shipping.delivered', '', { method: 'GET' })),
  },
  {
    id: 'duplicate-accepted',
    title: 'accepts an event that arrives twice',
    remedy: 'Respond with 2xx to an event that you have already processed: otherwise the service sends it again.',
    needs: 'late-event',
    async judge(session) {
      const event = makeEvent();
      return each(ATTEMPTS, async (signedAt) => notAccepted(await session.send(event, { signedAt: signedAt(event) })));
    },
  },
  {
    id: 'duplicate-processed-once',
    title: 'processes an event that arrives twice once',
    remedy:
      'Store `data.id` with `event` and a unique index before processing. The signature differs between attempts: do not use it.',
    needs: 'duplicate-accepted',
    needsProcessed: true,
    async judge(session) {
      const event = makeEvent();
      for (const signedAt of ATTEMPTS) await session.send(event, { signedAt: signedAt(event) });
      return wrongCount(await session.countProcessed(String(event.data.id), 1), 1);
    },
  },
  {
    id: 'lost-response',
    title: 'accepts the next attempt after its response was lost',
    remedy: 'Respond with 2xx to the second attempt, whether the first one was processed or not.',
    needs: 'duplicate-accepted',
    async judge(session) {
      const event = makeEvent();
      await session.send(event, { hangsUp: true });
      return notAccepted(await session.send(event, { signedAt: secondLater(event) }));
    },
  },
  {
    id: 'same-shipment-other-event',
    title: 'processes two different events of one shipment',
    remedy: 'Deduplicate on `data.id` together with `event`: `data.id` alone drops later events of the shipment.',
    needs: 'duplicate-accepted',
    needsProcessed: true,
    async judge(session) {
      const id = randomUUID();
      for (const event of ['shipping.picked_up', 'shipping.delivered']) await session.send(makeEvent({ id, event }));
      return wrongCount(await session.countProcessed(id, 2), 2);
    },
  },
  {
    id: 'out-of-order',
    title: 'accepts events in any order',
    remedy:
      'Respond with 2xx, and order events by `timestamp` of the body: the service does not guarantee their order.',
    needs: ACCEPTS,
    async judge(session) {
      const id = randomUUID();
      const events = ['shipping.delivered', 'shipping.assigned', 'shipping.created'];
      return each(
        events.map((event, i) => makeEvent({ id, event, happenedAt: ago(i * MINUTE_MS) })),
        async (event) => withName(event.event, notAccepted(await session.send(event))),
      );
    },
  },
  {
    id: 'unknown-event',
    title: 'accepts an event that it does not know',
    remedy: 'Respond with 2xx to unknown events, and ignore them: the API may add events.',
    needs: ACCEPTS,
    judge: async (session) => notAccepted(await session.send(makeEvent({ event: 'shipping.certified' }))),
  },
  {
    id: 'unknown-fields',
    title: 'accepts fields that it does not know',
    remedy: 'Ignore unknown fields of envelope and `data`: the API may add some.',
    needs: ACCEPTS,
    judge: async (session) =>
      notAccepted(await session.send(makeEvent({ data: { addedLater: { a: [1] } }, extra: { addedLater: true } }))),
  },
  {
    id: 'driver-without-name',
    title: 'accepts a driver without name and phone number',
    remedy: 'Expect `deliverer` to be null, or an object whose `name` and `phoneNumber` are null.',
    needs: ACCEPTS,
    async judge(session) {
      const deliverer = { id: randomUUID(), name: null, phoneNumber: null };
      return notAccepted(await session.send(makeEvent({ event: 'shipping.assigned', data: { deliverer } })));
    },
  },
  {
    id: 'foreign-reference',
    title: 'accepts a shipment that your program did not create',
    remedy: 'Expect `externalReference.orderId` to be null: shipments can be created in the dashboard.',
    needs: ACCEPTS,
    async judge(session) {
      const externalReference = { platform: 'dashboard', orderId: null, shopDomain: null };
      return notAccepted(await session.send(makeEvent({ event: 'shipping.created', data: { externalReference } })));
    },
  },
  {
    id: 'test-request',
    title: 'accepts the test request of the dashboard',
    remedy: 'Respond with 2xx when every digit of `data.id` is zero, and ignore the shipment.',
    needs: ACCEPTS,
    judge: async (session) =>
      notAccepted(await session.send(makeEvent({ id: '00000000-0000-0000-0000-000000000000' }))),
  },
  {
    id: 'large-body',
    title: 'accepts a body of 32 KiB',
    remedy: 'Raise the body limit of your web server to at least 64 KiB: `externalReference` is part of every event.',
    needs: ACCEPTS,
    judge: async (session) => notAccepted(await session.send(makeEvent({ data: { addedLater: LARGE_TEXT } }))),
  },
  {
    id: 'lower-case-headers',
    title: 'reads headers in any case',
    remedy: 'Look headers up without regard to case: proxies and HTTP/2 write them in lower case.',
    needs: ACCEPTS,
    async judge(session) {
      const { body, headers } = await signedEvent(session);
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const upper = Object.keys(headers).map((name) => [name, null]);
      return notAccepted(
        await session.sendBody('shipping.delivered', body, { headers: Object.fromEntries([...upper, ...lower]) }),
      );
    },
  },
  {
    id: 'survives-invalid-json',
    title: 'survives a signed body that is not JSON',
    remedy: 'Catch errors of the JSON parser and respond with 400.',
    needs: 'no-redirect',
    async judge(session) {
      const reply = await session.sendBody('shipping.delivered', '{"event": "shipping.deliv');
      return reply.status !== null && reply.status < 500 ? null : describeReply(reply);
    },
  },
  {
    id: 'answers-in-time',
    title: 'answers each event within 5 s',
    remedy: 'Answer at once and process afterwards: after 5 s the service counts the attempt as failed.',
    needs: ACCEPTS,
    judge: (session) => answeredWithin(session, CONTRACT_LIMIT_MS),
  },
  {
    id: 'answers-before-work',
    title: 'answers before the work is done: within 1 s',
    remedy:
      'Put the event into a queue or table, answer, and process it afterwards: work that grows will exceed the 5 s.',
    needs: 'answers-in-time',
    judge: (session) => answeredWithin(session, AT_ONCE_MS),
  },
  {
    id: 'concurrent',
    title: `accepts ${CONCURRENT} events at once`,
    remedy: 'Handle requests concurrently: the service sends events of a batch at the same time.',
    needs: 'answers-in-time',
    judge: (session) =>
      firstFault(
        Array.from({ length: CONCURRENT }, async () => {
          const reply = await session.send(makeEvent());
          return notAccepted(reply) ?? (reply.durationMs > CONTRACT_LIMIT_MS ? describeReply(reply) : null);
        }),
      ),
  },
  {
    id: 'hides-secret',
    title: 'does not reveal the secret in responses',
    remedy: 'Do not send the expected signature or the secret to the caller, not even while debugging.',
    needs: 'no-redirect',
    async judge(session) {
      const replies = [await session.send(makeEvent()), await session.send(makeEvent(), { secret: 'another secret' })];
      const leaking = replies.find(({ text }) => text.includes(session.secret) || /sha256=[0-9a-f]{64}/.test(text));
      return leaking ? describeReply(leaking) : null;
    },
  },
  {
    id: 'accepts-afterwards',
    title: 'still accepts events after all of these requests',
    remedy: 'Read the log of the receiver: one of the requests above has damaged its state.',
    needs: ACCEPTS,
    judge: async (session) => notAccepted(await session.send(makeEvent())),
  },
];

const withName = (name: string, fault: string | null) => fault && `${name}: ${fault}`;

const wrongCount = (count: number, expected: number): string | null => {
  if (count === expected) return null;
  return count < 0 ? '--processed did not return a number' : `processed ${count} times instead of ${expected}`;
};

async function answeredWithin(session: Session, limitMs: number): Promise<string | null> {
  return each(WEBHOOK_EVENTS, async (event) => {
    const reply = await session.send(makeEvent({ event }));
    return reply.durationMs > limitMs ? `${event}: ${describeReply(reply)}` : null;
  });
}

/** An event with its correct headers, signed at its own time. */
async function signedEvent(session: Session, happenedAt = new Date()) {
  const body = JSON.stringify(makeEvent({ happenedAt }));
  return { body, headers: await webhookHeaders(session.secret, 'shipping.delivered', body, happenedAt) };
}
