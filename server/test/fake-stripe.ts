import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signatureOf } from '../src/adapters/stripe/stripe-signature.ts';

interface FakeSession {
  id: string;
  object: 'checkout.session';
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  payment_intent: string | null;
  metadata: Record<string, string>;
  expires_at: number;
  stores_method: boolean;
  success_url: string;
  cancel_url: string;
}

interface FakeIntent {
  id: string;
  object: 'payment_intent';
  status: string;
  amount_received: number;
  currency: string;
  metadata: Record<string, string>;
  customer: string | null;
  payment_method: string | null;
}

interface FakeReversal {
  id: string;
  object: 'refund' | 'dispute';
  amount: number;
  currency: string;
  payment_intent: string | null;
  status: string;
}

export interface FakeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
}

/** The answer to the next request that creates a session. */
type Answer =
  | 'create'
  /** The connection stays open without a response; nothing is created. */
  | 'hold'
  /** The session is created, and the response never comes. */
  | 'create-and-hold'
  | { status: number; code: string };

/** The bank's answer to the next payment with a stored method. */
type Bank = 'accept' | 'debit' | 'hold' | 'accept-and-hold' | 'down' | 'broken' | { code: string };

const STRIPE_KEY = 'sk_test_of_a_double_on_loopback';
export const STRIPE_SECRET = 'whsec_of_a_double_on_loopback';

/** A local server with the part of Stripe's REST protocol that the service uses, which signs events as Stripe does. */
export async function startFakeStripe() {
  const sessions = new Map<string, FakeSession>();
  const intents = new Map<string, FakeIntent>();
  const reversals: FakeReversal[] = [];
  const offSession = new Map<string, { form: string; bank: Bank; intent: FakeIntent }>();
  let banks: Bank[] = [];
  const byKey = new Map<string, { form: string; session: FakeSession }>();
  let answers: Answer[] = [];
  let isDown = false;
  let pageLimit = 100;
  let calls = 0;
  let held: (() => void) | null = null;
  const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    /** A payment with a stored method. The bank's answer belongs to the key, as Stripe keeps it. */
    function payOffSession(key: string, form: string): unknown {
      const fields = new URLSearchParams(form);
      const known = offSession.get(key);
      if (known && known.form !== form) return refuse(400, 'idempotency_error');
      const bank = known?.bank ?? banks.shift() ?? 'accept';
      if (bank === 'hold') return held?.();
      if (bank === 'down') return request.socket.destroy();
      const intent = known?.intent ?? {
        id: newId('pi'),
        object: 'payment_intent' as const,
        status: bank === 'debit' ? 'processing' : 'succeeded',
        amount_received: bank === 'debit' ? 0 : Number(fields.get('amount')),
        currency: 'eur',
        metadata: { navette_payment: fields.get('metadata[navette_payment]') ?? '' },
        customer: fields.get('customer'),
        payment_method: fields.get('payment_method'),
      };
      offSession.set(key, { form, bank, intent });
      if (typeof bank === 'object') return refuse(402, bank.code);
      if (bank === 'broken') return refuse(500, 'api_error');
      intents.set(intent.id, intent);
      if (bank === 'accept-and-hold' && !known) return held?.();
      return respond(200, intent);
    }
    const respond = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, code: string) =>
      respond(status, { error: { type: 'invalid_request_error', code } });
    calls++;
    if (isDown) return request.socket.destroy();
    if (request.url?.startsWith('/pay/')) return showPage(response, request.url.slice('/pay/'.length));
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) return refuse(401, 'api_key_expired');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe');
    const [, , ...path] = pathname.split('/');
    const id = path.at(-1) ?? '';
    if (request.method === 'GET') {
      if (path[0] === 'balance') return respond(200, { object: 'balance' });
      if (path[0] === 'refunds' || path[0] === 'disputes') return respond(200, listReversals(path[0], searchParams));
      const isExpanded = searchParams.get('expand[]') === 'latest_charge';
      const found = path[0] === 'payment_intents' ? readIntent(id, isExpanded) : sessions.get(id);
      return found ? respond(200, found) : refuse(404, 'resource_missing');
    }
    const form = await text(request);
    if (path[0] === 'payment_intents') return payOffSession(String(request.headers['idempotency-key']), form);
    const answer = answers.shift() ?? 'create';
    if (typeof answer === 'object') return refuse(answer.status, answer.code);
    if (answer === 'hold') return held?.();
    const key = String(request.headers['idempotency-key']);
    const known = byKey.get(key);
    if (known && known.form !== form) return refuse(400, 'idempotency_error');
    const session = known?.session ?? createSession(new URLSearchParams(form));
    byKey.set(key, { form, session });
    if (answer === 'create-and-hold') return held?.();
    return respond(200, session);
  }

  /** Newest first, as Stripe lists. */
  function listReversals(path: 'refunds' | 'disputes', query: URLSearchParams): object {
    const all = reversals
      .filter(({ object, payment_intent: intent }) => `${object}s` === path && intent === query.get('payment_intent'))
      .toReversed();
    const start = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    const limit = Math.min(Number(query.get('limit') ?? 10), pageLimit);
    const data = all.slice(start, start + limit).map((each) => ({
      ...each,
      ...(each.object === 'dispute' ? { balance_transactions: bookingsOf(each) } : {}),
    }));
    return { object: 'list', data, has_more: start + limit < all.length };
  }

  /** An inquiry of the bank (`warning_…`) takes nothing; a dispute that was won is paid back. */
  function bookingsOf({ status, amount }: FakeReversal) {
    if (status.startsWith('warning_')) return [];
    const taken = { object: 'balance_transaction', amount: -amount };
    return status === 'won' ? [taken, { object: 'balance_transaction', amount }] : [taken];
  }

  function readIntent(id: string, isExpanded: boolean): object | undefined {
    const intent = intents.get(id);
    if (!intent) return undefined;
    const own = reversals.filter(({ payment_intent: of }) => of === id);
    const standing = own.filter(
      ({ object, status }) => object === 'refund' && ['pending', 'succeeded'].includes(status),
    );
    const charge = {
      id: `ch_of_${id}`,
      object: 'charge',
      amount_refunded: standing.reduce((sum, { amount }) => sum + amount, 0),
      disputed: own.some(({ object }) => object === 'dispute'),
    };
    return { ...intent, latest_charge: isExpanded ? charge : charge.id };
  }

  /** In place of Stripe's page: two links back to the dashboard. The test decides what becomes of the payment. */
  function showPage(response: ServerResponse, id: string): unknown {
    const { success_url: done, cancel_url: left } = find(id);
    const page = `<!doctype html><title>Stripe</title><a href="${done}">Pay</a> <a href="${left}">Back</a>`;
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page.replaceAll('&', '&amp;'));
  }

  function createSession(form: URLSearchParams): FakeSession {
    const id = newId('cs_test');
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      url: `http://127.0.0.1:${port}/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id'),
      payment_intent: null,
      metadata: {
        navette_payment: form.get('metadata[navette_payment]') ?? '',
        navette_account: form.get('metadata[navette_account]') ?? '',
      },
      expires_at: Number(form.get('expires_at')),
      stores_method: form.get('payment_intent_data[setup_future_usage]') === 'off_session',
      success_url: form.get('success_url') ?? '',
      cancel_url: form.get('cancel_url') ?? '',
    };
    sessions.set(id, session);
    return session;
  }

  const server = createServer((request, response) => {
    answerTo(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  const event = (type: string, object: object): FakeEvent => ({
    id: newId('evt'),
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1_000),
    data: { object: structuredClone(object) },
  });
  const find = (sessionId: string) => sessions.get(sessionId) ?? fail(sessionId);

  /** The person completes the page. A card is paid at once; a debit is under way. */
  function complete(sessionId: string, by: 'card' | 'debit', receivedCents?: number): FakeEvent {
    const session = find(sessionId);
    const isPaid = by === 'card';
    const amount = receivedCents ?? session.amount_total;
    const intent: FakeIntent = {
      id: newId('pi'),
      object: 'payment_intent',
      status: isPaid ? 'succeeded' : 'processing',
      amount_received: isPaid ? amount : 0,
      currency: session.currency,
      metadata: { navette_payment: session.metadata.navette_payment ?? '' },
      customer: session.stores_method ? newId('cus') : null,
      payment_method: newId('pm'),
    };
    intents.set(intent.id, intent);
    Object.assign(session, {
      status: 'complete',
      url: null,
      payment_status: isPaid ? 'paid' : 'unpaid',
      amount_total: amount,
      payment_intent: intent.id,
    });
    return event('checkout.session.completed', session);
  }

  /** The bank confirms or refuses a debit. */
  function endDebit(sessionId: string, succeeds: boolean): FakeEvent {
    const session = find(sessionId);
    const intent = intents.get(session.payment_intent ?? '') ?? fail(sessionId);
    intent.status = succeeds ? 'succeeded' : 'requires_payment_method';
    intent.amount_received = succeeds ? session.amount_total : 0;
    if (succeeds) session.payment_status = 'paid';
    return event(`checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, session);
  }

  function expire(sessionId: string): FakeEvent {
    Object.assign(find(sessionId), { status: 'expired', url: null });
    return event('checkout.session.expired', find(sessionId));
  }

  /** Stripe's own record, which a test may change: events are copies. */
  function reversal(object: FakeReversal['object'], sessionId: string, amount: number, status: string): FakeReversal {
    const id = newId(object === 'refund' ? 're' : 'du');
    const made = { id, object, amount, currency: 'eur', payment_intent: find(sessionId).payment_intent, status };
    reversals.push(made);
    return made;
  }

  return {
    /** Settings of a service that uses this double. */
    settings: {
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRETS: STRIPE_SECRET,
    },
    sessions,
    intents,
    event,
    complete,
    endDebit,
    expire,
    reversal,
    /** Lists have pages of this size. */
    setPageLimit(limit: number) {
      pageLimit = limit;
    },
    get calls() {
      return calls;
    },
    sessionsOf: (paymentId: string) => [...sessions.values()].filter((s) => s.client_reference_id === paymentId),
    /** For the next requests that create a session, in order; afterwards they are created. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    /** For the next payments with a stored method, in order; afterwards they are accepted. */
    bankAnswers(...next: Bank[]) {
      banks = next;
    },
    /** Payments with a stored method that reached Stripe, by key. */
    get offSessionPayments() {
      return [...offSession.values()].map(({ intent }) => intent);
    },
    setDown(down: boolean) {
      isDown = down;
    },
    /** Resolves when a request is held. */
    holding: () =>
      new Promise<void>((resolve) => {
        held = resolve;
      }),
    /** Sends an event as Stripe does; `time` and `secret` for wrong ones. */
    send(
      url: string,
      sent: FakeEvent | string,
      { secret = STRIPE_SECRET, time = Math.floor(Date.now() / 1_000), signature = '' } = {},
    ): Promise<Response> {
      const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
      const header = signature || `t=${time},v1=${signatureOf(body, String(time), secret)},v0=ignored`;
      return fetch(`${url}/stripe/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
        body,
      });
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

function fail(id: string): never {
  throw new Error(`nothing at Stripe for ${id}`);
}
