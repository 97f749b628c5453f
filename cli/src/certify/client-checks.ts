import { CLIENT_FAULTS, type ClientFault, type CreationAttempt, isSameOrder } from './client-proxy.ts';
import type { Result } from './report.ts';

interface ClientCheck extends Pick<Result, 'id' | 'title' | 'remedy'> {
  /** Cannot be judged when this check has failed. */
  needs?: string;
  /** Returns what was wrong, or null. */
  judge: (attempts: readonly CreationAttempt[]) => string | null;
}

const KEYS = 'client-sends-keys';
const ONE_KEY = 'client-one-key-per-order';
const CREATES = 'client-creates-orders';
const REPEAT = 'Send the order again with the same X-Idempotency-Key and the same body, after a growing delay';

const isSuccess = ({ status }: CreationAttempt) => status === 200 || status === 201;
const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** The attempt that met the fault, those of the same order after it, and those of its body with another key. */
function storyOf(attempts: readonly CreationAttempt[], fault: ClientFault) {
  const index = attempts.findIndex((attempt) => attempt.fault === fault);
  const hit = attempts[index];
  const later = attempts.slice(index + 1);
  return {
    hit,
    repeats: later.filter((attempt) => hit && isSameOrder(attempt, hit)),
    withOtherKey: later.filter((attempt) => hit && attempt.body === hit.body && !isSameOrder(attempt, hit)),
  };
}

function notRepeated(attempts: readonly CreationAttempt[], fault: ClientFault): string | null {
  const { hit, repeats, withOtherKey } = storyOf(attempts, fault);
  if (withOtherKey.length > 0) return 'the order was sent again with another key: it may ship twice';
  if (repeats.length === 0 && !(hit && isSuccess(hit))) return 'the order was not sent again: it is lost';
  if (repeats.some(({ body }) => body !== hit?.body)) return 'the order was sent again with another body';
  return [hit, ...repeats].some((attempt) => attempt && isSuccess(attempt)) ? null : 'the order was given up';
}

function tooEarly(attempts: readonly CreationAttempt[]): string | null {
  const { hit, repeats } = storyOf(attempts, 'rate-limit');
  const missing = (hit?.notBefore ?? 0) - (repeats[0]?.at ?? 0);
  return repeats.length > 0 && missing > 100 ? `sent again ${Math.round(missing)} ms before the window ended` : null;
}

export const CLIENT_CHECKS: readonly ClientCheck[] = [
  {
    id: CREATES,
    title: `creates at least ${CLIENT_FAULTS.length} orders`,
    remedy: `Let the command create at least ${CLIENT_FAULTS.length} shipments, with the address in NAVETTE_URL, and each with another \`externalReference.orderId\`. An order that fails must not end it.`,
    judge: (attempts) => {
      const met = attempts.filter(({ fault }) => fault !== null).length;
      return met === CLIENT_FAULTS.length ? null : `created ${plural(met, 'order')}`;
    },
  },
  {
    id: KEYS,
    title: 'sends an idempotency key with every creation',
    remedy: 'Send X-Idempotency-Key with every POST /shipping, and store it with the order before the first attempt.',
    judge: (attempts) => {
      const without = attempts.filter(({ key }) => key === null).length;
      return without === 0 ? null : `${plural(without, 'creation')} without a key`;
    },
  },
  {
    id: ONE_KEY,
    needs: KEYS,
    title: 'uses a key for one order only',
    remedy: 'Use a key for one order only: the service answers a used key with the shipment that it created.',
    judge: (attempts) => {
      const shared = attempts.filter((one) => attempts.some(({ key, body }) => key === one.key && body !== one.body));
      const keys = new Set(shared.map(({ key }) => key)).size;
      return keys === 0 ? null : `${plural(keys, 'key')} with different bodies`;
    },
  },
  ...(
    [
      ['lost-answer', 'when the response was lost'],
      ['no-answer', 'when the connection was closed before the service got it'],
      ['unavailable', 'after a 503 that is not JSON'],
      ['message-only', 'after a 400 with a message and no slug, which may be an internal failure'],
      ['rate-limit', 'after a 429'],
      ['slow', 'when the response takes six seconds'],
    ] as const
  ).map(([fault, when]) => ({
    id: `client-after-${fault}`,
    needs: ONE_KEY,
    title: `sends the order again with the same key ${when}`,
    remedy: `${REPEAT}. A new key creates a second shipment, and charges for it.`,
    judge: (attempts: readonly CreationAttempt[]) => notRepeated(attempts, fault),
  })),
  {
    id: 'client-waits-after-429',
    needs: 'client-after-rate-limit',
    title: 'waits until the window of a 429 ends',
    remedy: 'After a 429 with `window: "minute"`, wait until the moment in X-RateLimit-Reset (Unix seconds).',
    judge: tooEarly,
  },
  {
    id: 'client-not-after-refusal',
    needs: ONE_KEY,
    title: 'does not repeat an order that was refused',
    remedy: 'Do not repeat a 400 with `errors` or a slug: show it to a person, who corrects the order.',
    judge: (attempts) => {
      const { repeats, withOtherKey } = storyOf(attempts, 'refused');
      const again = repeats.length + withOtherKey.length;
      return again === 0 ? null : `sent again ${plural(again, 'time')}`;
    },
  },
  {
    id: 'client-not-after-conflict',
    needs: ONE_KEY,
    title: 'does not repeat a 409 with the same key',
    remedy: 'After IDEMPOTENCY_KEY_CONFLICT use a new key: the same one is refused for ever.',
    judge: (attempts) => {
      const { repeats } = storyOf(attempts, 'conflict');
      return repeats.length === 0 ? null : `sent again ${plural(repeats.length, 'time')}`;
    },
  },
  {
    id: 'client-ships-once',
    title: 'causes one shipment for each order',
    remedy: `${REPEAT}, and never with a new one while the outcome is unknown.`,
    judge: (attempts) => {
      const created = attempts.filter(({ hasCreated }) => hasCreated).map(({ body }) => body);
      const twice = new Set(created.filter((body, i) => created.indexOf(body) !== i)).size;
      return twice === 0 ? null : `${plural(twice, 'order')} shipped twice`;
    },
  },
];

/** A check that follows from a failed one is not judged, so the report names the fault itself. */
export function judgeClient(attempts: readonly CreationAttempt[]): Result[] {
  const results: Result[] = [];
  for (const { id, title, remedy, needs = id === CREATES ? undefined : CREATES, judge } of CLIENT_CHECKS) {
    const needed = results.find((result) => result.id === needs);
    const isJudged = !needed || needed.outcome === 'passed';
    const fault = isJudged ? judge(attempts) : `follows from ${needed.id}`;
    const outcome = !isJudged ? 'not judged' : fault === null ? 'passed' : 'failed';
    results.push({ id, title, remedy, outcome, detail: fault });
  }
  return results;
}
