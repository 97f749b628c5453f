import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { createRequestBudget, type Slot } from './request-budget.ts';
import { hostAndPort } from './webhook-target.ts';

const HOST = 'shop.example.org:443';
const patient = new AbortController().signal;
const webhook = (account: string, n = 1) => ({ accountId: account, webhookId: `${account}-${n}` });

/** Acquires all slots that are free now, from a budget without a rate limit. */
async function fill(limits: { inFlight: number }, senders: { account: string; n?: number; host?: string }[]) {
  const budget = createRequestBudget({ ...limits, perSecond: 1_000_000 });
  const held: Slot[][] = senders.map(() => []);
  const ask = (i: number, { account, n = 1, host = HOST }: (typeof senders)[number]): Promise<unknown> =>
    budget.acquire(webhook(account, n), host, 1_000, patient).then((slots) => {
      held[i]?.push(...slots);
      return ask(i, { account, n, host });
    });
  for (const [i, sender] of senders.entries()) {
    void ask(i, sender);
    await setImmediate();
  }
  const counts = () => held.map((slots) => slots.length);
  /** Ends all requests under way, `times` times, while the waiters keep asking for more. */
  const recycle = async (times: number) => {
    for (; times > 0; times--) {
      for (const slots of held) slots.shift()?.finish();
      await setImmediate();
    }
  };
  return { budget, held, counts, recycle, total: () => counts().reduce((sum, count) => sum + count) };
}

describe('requests under way', () => {
  test('of one webhook are at most half of its account’s limit at a host', async () => {
    expect((await fill({ inFlight: 40 }, [{ account: 'a' }])).counts()).toEqual([20]);
  });

  test('of twenty webhooks of an account stay within its limit, and each gets a share', async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => ({ account: 'a', n }));
    const { counts, total, recycle } = await fill({ inFlight: 40 }, twenty);
    for (let i = 0; i < 40; i++) {
      expect(total()).toBeLessThanOrEqual(40);
      await recycle(1);
    }
    expect(Math.min(...counts())).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts())).toBeLessThanOrEqual(3);
  });

  test('of an account are limited over all hosts, so that many names of one machine do not help', async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => ({ account: 'a', n, host: `host-${n}:443` }));
    const { counts, total, recycle } = await fill({ inFlight: 40 }, twenty);
    expect(total()).toBeLessThanOrEqual(80);
    await recycle(40);
    expect(total()).toBeLessThanOrEqual(80);
    expect(Math.min(...counts())).toBeGreaterThanOrEqual(1);
  });

  test('of many accounts at one host are limited, and the next account still gets a slot at once', async () => {
    const flood = Array.from({ length: 15 }, (_, i) => ({ account: `flood-${i}` }));
    const { counts, total } = await fill({ inFlight: 40 }, [...flood, { account: 'late' }]);
    expect(total()).toBeLessThanOrEqual(400);
    expect(counts().at(-1)).toBeGreaterThanOrEqual(1);
  });

  test('that end release their slots to waiters, and so do slots that were not used', async () => {
    const { budget, held, counts, total } = await fill({ inFlight: 4 }, [{ account: 'a' }, { account: 'a', n: 2 }]);
    expect([counts(), budget.waiting()]).toEqual([[2, 1], 2]);
    held[0]?.[0]?.finish();
    held[0]?.[0]?.release(); // a second call has no effect
    held[0]?.[1]?.release();
    await setImmediate();
    expect(total()).toBe(5);
  });

  test('that wait are given up when the signal is aborted', async () => {
    const { budget } = await fill({ inFlight: 2 }, [{ account: 'a' }]);
    const giving = new AbortController();
    const waiting = budget.acquire(webhook('a'), HOST, 1, giving.signal);
    giving.abort();
    expect(await waiting).toEqual([]);
    expect(await budget.acquire(webhook('a'), HOST, 1, giving.signal)).toEqual([]);
    expect(budget.waiting()).toBe(1); // the one of `fill`
  });
});

describe('requests in a second', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Sends as fast as the budget allows, to endpoints that respond at once. Counts the requests of each second. */
  async function flood(perSecond: number, seconds: number, senders: { account: string; n?: number; host?: string }[]) {
    const budget = createRequestBudget({ inFlight: 1_000, perSecond });
    const sent = senders.map(() => 0);
    const perTick: number[] = [];
    const stopping = new AbortController();
    const ask = async (i: number, { account, n = 1, host = HOST }: (typeof senders)[number]) => {
      while (!stopping.signal.aborted) {
        for (const slot of await budget.acquire(webhook(account, n), host, 20, stopping.signal)) {
          sent[i] = (sent[i] ?? 0) + 1;
          slot.finish();
        }
      }
    };
    const asking = senders.map((sender, i) => ask(i, sender));
    for (let ms = 0; ms < seconds * 1_000; ms += 20) {
      const before = sent.reduce((sum, count) => sum + count, 0);
      await vi.advanceTimersByTimeAsync(20);
      perTick.push(sent.reduce((sum, count) => sum + count, 0) - before);
    }
    stopping.abort();
    await Promise.all(asking);
    return { sent, perTick };
  }

  test('of one account to one host stay within the rate in every second', async () => {
    const senders = Array.from({ length: 20 }, (_, n) => ({ account: 'a', n }));
    const { sent, perTick } = await flood(100, 10, senders);
    const total = sent.reduce((sum, count) => sum + count);
    expect(total).toBeGreaterThan(990);
    expect(total).toBeLessThanOrEqual(1_025);
    for (let i = 0; i + 50 <= perTick.length; i++)
      expect(perTick.slice(i, i + 50).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(127);
    expect(Math.max(...sent) - Math.min(...sent)).toBeLessThanOrEqual(25); // after the first burst they take turns
  });

  test('of one account are limited over all hosts', async () => {
    const { sent } = await flood(
      100,
      10,
      Array.from({ length: 20 }, (_, n) => ({ account: 'a', n, host: `host-${n}:443` })),
    );
    expect(sent.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2_050);
  });

  test('of many accounts to one host are distributed evenly, however many webhooks each has', async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ account: 'flood', n }));
    const others = Array.from({ length: 19 }, (_, i) => ({ account: `other-${i}` }));
    const { sent } = await flood(100, 10, [...many, ...others]);
    const ofFlood = sent.slice(0, 20).reduce((sum, count) => sum + count);
    const ofOthers = sent.slice(20);
    expect(ofFlood + ofOthers.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(10_260);
    for (const count of ofOthers) expect(Math.abs(count - ofFlood)).toBeLessThanOrEqual(ofFlood * 0.1);
  });
});

test('a host is its normalised name and port', () => {
  const urls = ['https://Shop.Example.ORG/a', 'https://shop.example.org:443/b', 'https://shop.example.org./c?d'];
  expect(new Set(urls.map(hostAndPort))).toEqual(new Set(['shop.example.org:443']));
  expect(hostAndPort('http://shop.example.org')).toBe('shop.example.org:80');
  expect(hostAndPort('http://[2001:DB8::1]:8080/')).toBe('[2001:db8::1]:8080');
});

describe('a worker', () => {
  const LIMIT = 10;
  const WAIT = { timeout: 240_000, interval: 50 };
  let stop = async () => {};
  afterAll(() => stop());

  test('sends one batch for twenty webhooks at one host within the budget, loses nothing, and does not delay another account', async () => {
    const stage = await startWebhookServer({ WEBHOOK_HOST_IN_FLIGHT: String(LIMIT), WEBHOOK_HOST_PER_SECOND: '100' });
    stop = stage.stop;
    const { server, receiver } = stage;
    const [flood, other] = [await openShop(), await openShop()];
    let underWay = 0;
    let most = 0;
    for (let n = 0; n < 20; n++) {
      receiver.behave(`/flood/${n}`, (_request, response) => {
        most = Math.max(most, ++underWay);
        setTimeout(() => {
          underWay--;
          response.end();
        }, 400);
      });
      await subscribe(server, receiver, flood, `/flood/${n}`);
    }
    await subscribe(server, receiver, other, '/other');
    const flooded = () => receiver.received.filter(({ path }) => path.startsWith('/flood/'));
    await withWorker(server, async () => {
      const shippings = Array(10).fill(shipmentRequest());
      await server.call(flood, 'POST', '/shipping/batch', { body: { shippings } });
      await vi.waitFor(() => expect(flooded().length).toBeGreaterThan(LIMIT), WAIT);
      await server.call(other, 'POST', '/shipping', { body: shipmentRequest() });
      await vi.waitFor(() => expect(receiver.to('/other')).toHaveLength(1), WAIT);
      expect(flooded().length).toBeLessThan(200);
      await vi.waitFor(async () => expect(await statuses(flood)).toEqual(Array(200).fill('delivered')), WAIT);
    });
    expect(flooded()).toHaveLength(200);
    expect(most).toBeLessThanOrEqual(LIMIT);
    expect(receiver.received.flatMap(({ faults }) => faults)).toEqual([]);

    function openShop() {
      return server.createAccount({ paymentMode: 'deferred' });
    }
    async function statuses({ id }: TestAccount) {
      const rows = await server.db
        .selectFrom('webhook_deliveries')
        .select('status')
        .where('account_id', '=', id)
        .execute();
      return rows.map(({ status }) => status);
    }
  });
});
