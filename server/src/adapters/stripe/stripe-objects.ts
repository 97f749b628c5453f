/** The few fields of Stripe's objects that this service reads, from responses and from events, each checked. */
export interface CheckoutSession {
  id: string;
  /** Null once it is complete or has expired. */
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  amountCents: number;
  currency: string;
  /** The payment that this service created the session for; any text in sessions of others. */
  reference: string | null;
  intentId: string | null;
  /** The metadata that this service wrote; null in sessions of others, and of releases before. */
  noted: { paymentId: string | null; accountId: string | null };
}

export interface PaymentIntent {
  id: string;
  /** `processing`: a debit under way; `requires_payment_method`: it failed; `requires_action`: a person must confirm. */
  status: string;
  receivedCents: number;
  currency: string;
  /** The code of the last attempt that failed, such as `authentication_required`. */
  error: string | null;
  /** `metadata.navette_payment`. */
  reference: string | null;
  customerId: string | null;
  methodId: string | null;
  /** Whether money went back, or a bank disputed it; null where the charge was not asked for. */
  hasReversals: boolean | null;
}

/** A refund, or a dispute: both name the PaymentIntent whose money goes back. */
export interface Reversal {
  id: string;
  amountCents: number;
  currency: string;
  intentId: string | null;
  status: string;
  /** Of a dispute, where Stripe was asked: whether the money was withdrawn, and given back. Null in events. */
  funds: { withdrawn: boolean; reinstated: boolean } | null;
}

export class UnreadableAnswer extends Error {}

type Fields = Record<string, unknown>;

export function readCheckoutSession(value: unknown): CheckoutSession {
  const session = fieldsOf(value, 'checkout.session');
  const status = session.status;
  if (status !== 'open' && status !== 'complete' && status !== 'expired') throw new UnreadableAnswer('status');
  return {
    id: textOf(session, 'id'),
    url: optionalText(session, 'url'),
    status,
    isPaid: session.payment_status === 'paid',
    amountCents: integerOf(session, 'amount_total'),
    currency: textOf(session, 'currency'),
    reference: optionalText(session, 'client_reference_id'),
    intentId: idOf(session.payment_intent),
    noted: { paymentId: noteOf(session, 'navette_payment'), accountId: noteOf(session, 'navette_account') },
  };
}

export function readPaymentIntent(value: unknown): PaymentIntent {
  const intent = fieldsOf(value, 'payment_intent');
  return {
    id: textOf(intent, 'id'),
    status: textOf(intent, 'status'),
    receivedCents: integerOf(intent, 'amount_received'),
    currency: textOf(intent, 'currency'),
    error: optionalText((intent.last_payment_error ?? {}) as Fields, 'code'),
    reference: noteOf(intent, 'navette_payment'),
    customerId: idOf(intent.customer),
    methodId: idOf(intent.payment_method),
    hasReversals: hasReversals(intent.latest_charge),
  };
}

export function readReversal(value: unknown, object: 'refund' | 'dispute'): Reversal {
  const reversal = fieldsOf(value, object);
  return {
    id: textOf(reversal, 'id'),
    amountCents: integerOf(reversal, 'amount'),
    currency: textOf(reversal, 'currency'),
    intentId: idOf(reversal.payment_intent),
    status: optionalText(reversal, 'status') ?? '',
    funds: Array.isArray(reversal.balance_transactions) ? readFunds(reversal.balance_transactions) : null,
  };
}

/** A page of refunds or disputes, newest first. */
export function readReversals(value: unknown, object: 'refund' | 'dispute'): { page: Reversal[]; hasMore: boolean } {
  const list = fieldsOf(value, 'list');
  if (!Array.isArray(list.data)) throw new UnreadableAnswer('data');
  return { page: list.data.map((each) => readReversal(each, object)), hasMore: list.has_more === true };
}

/** Stripe books the withdrawal, and what it gives back, as movements of the operator's balance. */
function readFunds(transactions: unknown[]): NonNullable<Reversal['funds']> {
  const amounts = transactions.map((each) => integerOf(each as Fields, 'amount'));
  return { withdrawn: amounts.some((amount) => amount < 0), reinstated: amounts.some((amount) => amount > 0) };
}

/** Of the charge, where the answer contains it and not only its id. */
function hasReversals(charge: unknown): boolean | null {
  if (typeof charge !== 'object' || charge === null) return null;
  const fields = fieldsOf(charge, 'charge');
  return integerOf(fields, 'amount_refunded') > 0 || fields.disputed === true;
}

const noteOf = (fields: Fields, name: string): string | null => optionalText((fields.metadata ?? {}) as Fields, name);

function fieldsOf(value: unknown, object: string): Fields {
  if (typeof value === 'object' && value !== null && (value as Fields).object === object) return value as Fields;
  throw new UnreadableAnswer(object);
}

function textOf(fields: Fields, name: string): string {
  return optionalText(fields, name) ?? fail(name);
}

const optionalText = (fields: Fields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' && value.length <= 2_000 ? value : null;
};

function integerOf(fields: Fields, name: string): number {
  const value = fields[name];
  return Number.isSafeInteger(value) ? (value as number) : fail(name);
}

/** Stripe sends an id, or the whole object where it was asked to expand it. */
function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const id = (value as Fields | null | undefined)?.id;
  return typeof id === 'string' ? id : null;
}

function fail(name: string): never {
  throw new UnreadableAnswer(name);
}
