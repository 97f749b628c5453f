import { randomUUID } from 'node:crypto';
import { isAccepted, type Reply, sendWebhook, webhookHeaders } from '../send-webhook.ts';

export interface SessionOptions {
  url: URL;
  secret: string;
  /** Returns how many events of `{id}` were processed; null when the merchant has none. */
  processed: string | null;
}

export interface SentEvent {
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface Shape {
  event?: string;
  id?: string;
  /** The `timestamp` of the body. */
  happenedAt?: Date;
  data?: Record<string, unknown>;
  extra?: Record<string, unknown>;
}

/** How a request differs from what the service sends. */
export interface Alteration {
  secret?: string;
  signedAt?: Date;
  headers?: Record<string, string | null>;
  method?: string;
  hangsUp?: boolean;
}

/** The service waits five seconds; a slower response is still read, so that only the check of the time fails. */
export const CONTRACT_LIMIT_MS = 5_000;
const PATIENCE_MS = 20_000;
const PROCESSED_WITHIN_MS = 10_000;

/** Sends signed events to a receiver and reads what it did with them. */
export function createSession({ url, secret, processed }: SessionOptions) {
  async function sendBody(event: string, body: string | Buffer, change: Alteration = {}): Promise<Reply> {
    const bytes = Buffer.from(body);
    const signed = await webhookHeaders(change.secret ?? secret, event, bytes, change.signedAt);
    const headers = Object.fromEntries(
      Object.entries({ ...signed, ...change.headers }).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const request = { url, headers, body: bytes, timeoutMs: PATIENCE_MS };
    return sendWebhook({ ...request, method: change.method ?? 'POST', hangsUp: change.hangsUp ?? false });
  }

  const sendText = ({ event, timestamp }: SentEvent, text: string, change?: Alteration) =>
    sendBody(event, text, { signedAt: new Date(timestamp), ...change });

  return {
    secret,
    hasProcessed: processed !== null,
    sendBody,
    /** The first attempt, signed at the moment of the event, unless `change` has another time. */
    send: (envelope: SentEvent, change?: Alteration) => sendText(envelope, JSON.stringify(envelope), change),
    /** The same in other bytes. */
    sendText,

    /** Waits until the receiver has processed the event so often, and a moment for once too often. */
    async countProcessed(id: string, expected: number): Promise<number> {
      const until = Date.now() + PROCESSED_WITHIN_MS;
      let count = await readCount(id);
      while (count < expected && Date.now() < until) {
        await new Promise((later) => setTimeout(later, 200));
        count = await readCount(id);
      }
      await new Promise((later) => setTimeout(later, 500));
      return readCount(id);
    },
  };

  async function readCount(id: string): Promise<number> {
    const response = await fetch((processed ?? '').replaceAll('{id}', encodeURIComponent(id))).catch(() => null);
    const count = response?.ok ? Number(await response.text()) : Number.NaN;
    return Number.isInteger(count) ? count : -1;
  }
}

export type Session = ReturnType<typeof createSession>;

/** An event as the service sends it, of a shipment of its own. */
export function makeEvent({
  event = 'shipping.delivered',
  id = randomUUID(),
  happenedAt,
  data,
  extra,
}: Shape = {}): SentEvent {
  const at = (happenedAt ?? new Date()).toISOString();
  const place = { street: '8 avenue de l’Opéra', city: 'Paris', postalCode: '75001', country: 'France' };
  return {
    event,
    timestamp: at,
    data: {
      id,
      professionalId: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
      referenceNumber: 'CERTIFY001',
      status: event.replace('shipping.', ''),
      price: 9.9,
      externalReference: { platform: 'api', orderId: 'certify', shopDomain: null },
      createdAt: at,
      updatedAt: at,
      pickupAddress: { ...place, street: '12 rue de Rivoli' },
      deliveryAddress: { recipientName: 'Camille Durand', ...place, phoneNumber: '+33612345678' },
      deliverer: null,
      ...data,
    },
    ...extra,
  };
}

export const describeReply = ({ status, error, durationMs }: Reply): string =>
  `${status ?? error ?? 'no response'} after ${Math.round(durationMs)} ms`;

/** Null when the receiver accepted it; otherwise its response. */
export const notAccepted = (reply: Reply): string | null => (isAccepted(reply) ? null : describeReply(reply));

/** Null when the receiver refused it with a 4xx. */
export const notRefused = (reply: Reply): string | null =>
  reply.status !== null && reply.status >= 400 && reply.status < 500 ? null : describeReply(reply);
