import { toHex } from './hex.ts';

/** Identifies one shipping attempt of an order. */
export interface OrderKey {
  orderId: string | number;
  /** For merchants with several shops, whose order numbers may be equal. */
  shopDomain?: string | undefined;
  /** A second parcel of the order, or a new shipment after a cancelled one: 2, 3, … By default 1. */
  parcel?: number | undefined;
}

/**
 * The same key for the same order, in any process and after any crash, without storing it. Keys are unique over all
 * accounts, so the client id is part of it; hashing makes order numbers of any length and script a valid header.
 */
export async function idempotencyKeyFor(clientId: string, { orderId, shopDomain, parcel }: OrderKey): Promise<string> {
  const text = [clientId, shopDomain ?? '', orderId, parcel ?? 1].join('\0');
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `${clientId}.${toHex(hash).slice(0, 40)}`;
}
