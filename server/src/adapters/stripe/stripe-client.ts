import { readTextUpTo } from '../read-text-up-to.ts';
import {
  type CheckoutSession,
  type PaymentIntent,
  type Reversal,
  readCheckoutSession,
  readPaymentIntent,
  readReversals,
} from './stripe-objects.ts';

const API_VERSION = '2026-10-28.endive'; // fields and meanings stay as they are, whatever the account's default is
const ANSWER_MAX_BYTES = 1024 * 1024; // a page of a hundred refunds takes some hundred kilobytes
const PAGE = 100;
const MAX_PAGES = 5; // a payment with more than five hundred refunds does not exist

export interface NewCheckoutSession {
  /** The payment: Stripe returns it with the session, and makes a repeated request find the first session. */
  reference: string;
  /** Noted beside the payment in the session's metadata. */
  accountId: string;
  amountCents: number;
  /** Shown on Stripe's page. */
  title: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
  /** The method is stored, for payments without the person. */
  storesMethod: boolean;
}

/** A payment with a stored method, while nobody is there. */
export interface NewOffSessionPayment {
  reference: string;
  amountCents: number;
  customerId: string;
  methodId: string;
}

/** `code` is a code of Stripe or of the network, never a text. */
export class StripeFailure extends Error {
  readonly code: string;
  /** Null when no response arrived: the request may have had its effect. */
  readonly status: number | null;

  constructor(code: string, status: number | null) {
    super(`stripe ${status ?? 'network'} ${code}`);
    this.code = code;
    this.status = status;
  }
}

export interface StripeClient {
  createSession(request: NewCheckoutSession): Promise<CheckoutSession>;
  /** The account of the key, without any change. Fails when the key is not valid. */
  check(): Promise<void>;
  readSession(id: string): Promise<CheckoutSession>;
  readIntent(id: string): Promise<PaymentIntent>;
  /** With `hasReversals`. */
  readIntentAndCharge(id: string): Promise<PaymentIntent>;
  /** All refunds or disputes of a PaymentIntent. */
  listReversals(object: 'refund' | 'dispute', intentId: string): Promise<Reversal[]>;
  /** Fails with status 402 and a code when the bank refuses, or wants the person to confirm (`authentication_required`). */
  payOffSession(request: NewOffSessionPayment): Promise<PaymentIntent>;
}

export interface StripeOptions {
  secretKey: string;
  apiUrl: string;
  /** Of one request, response included. */
  timeoutMs?: number;
  /** Called with the status of each response; null when none arrived. */
  onAnswer?: (status: number | null) => void;
}

/** Stripe's REST protocol, as far as this service uses it. */
export function createStripeClient(options: StripeOptions): StripeClient {
  const { secretKey, apiUrl, timeoutMs = 10_000, onAnswer } = options;
  async function call(path: string, form?: Record<string, string>, idempotencyKey?: string): Promise<unknown> {
    const request = {
      method: form ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'stripe-version': API_VERSION,
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      redirect: 'error' as const, // the key must not go to another host
      signal: AbortSignal.timeout(timeoutMs),
    };
    const { ok, status, text } = await send(`${apiUrl}/v1/${path}`, request).catch((error: unknown) => {
      onAnswer?.(null);
      throw error;
    });
    onAnswer?.(status);
    const body = parse(text);
    if (!ok) throw new StripeFailure(codeOf(body), status);
    return body;
  }

  return {
    async createSession({ reference, accountId, amountCents, title, successUrl, cancelUrl, expiresAt, storesMethod }) {
      const form = {
        mode: 'payment',
        client_reference_id: reference,
        'payment_method_types[0]': 'card',
        'payment_method_types[1]': 'sepa_debit',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': String(amountCents),
        'line_items[0][price_data][product_data][name]': title,
        'metadata[navette_payment]': reference,
        'metadata[navette_account]': accountId,
        'payment_intent_data[metadata][navette_payment]': reference,
        success_url: successUrl,
        cancel_url: cancelUrl,
        expires_at: String(Math.floor(expiresAt.getTime() / 1_000)),
        ...(storesMethod
          ? { customer_creation: 'always', 'payment_intent_data[setup_future_usage]': 'off_session' }
          : {}),
      };
      return readCheckoutSession(await call('checkout/sessions', form, `session-${reference}`));
    },
    async check() {
      await call('balance');
    },
    readSession: async (id) => readCheckoutSession(await call(`checkout/sessions/${encodeURIComponent(id)}`)),
    readIntent: async (id) => readPaymentIntent(await call(`payment_intents/${encodeURIComponent(id)}`)),
    readIntentAndCharge: async (id) =>
      readPaymentIntent(await call(`payment_intents/${encodeURIComponent(id)}?expand[]=latest_charge`)),
    async listReversals(object, intentId) {
      const found: Reversal[] = [];
      for (let i = 0; i < MAX_PAGES; i++) {
        const query = new URLSearchParams({ payment_intent: intentId, limit: String(PAGE) });
        const last = found.at(-1);
        if (last) query.set('starting_after', last.id);
        const { page, hasMore } = readReversals(await call(`${object}s?${query}`), object);
        found.push(...page);
        if (!hasMore || page.length === 0) break;
      }
      return found;
    },
    async payOffSession({ reference, amountCents, customerId, methodId }) {
      const form = {
        amount: String(amountCents),
        currency: 'eur',
        customer: customerId,
        payment_method: methodId,
        'payment_method_types[0]': 'card',
        'payment_method_types[1]': 'sepa_debit',
        off_session: 'true',
        confirm: 'true',
        'metadata[navette_payment]': reference,
      };
      return readPaymentIntent(await call('payment_intents', form, `intent-${reference}`));
    },
  };
}

async function send(url: string, request: RequestInit) {
  try {
    const response = await fetch(url, request);
    return { ok: response.ok, status: response.status, text: await readTextUpTo(response, ANSWER_MAX_BYTES) };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new StripeFailure(cause?.code ?? name, null);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(body: unknown): string {
  const { code, type } = ((body as { error?: Record<string, unknown> } | null)?.error ?? {}) as Record<string, unknown>;
  const name = code ?? type;
  return typeof name === 'string' && /^[a-z_]{1,60}$/.test(name) ? name : 'unknown';
}
