import type { TestFault, WebhookEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { EndpointAnswer } from '../../adapters/endpoint/endpoint-client.ts';

/** The fault with which a test account's webhook sends. Null for every live webhook: a trigger refuses any other value. */
export type Fault = TestFault | null;

const OLD_MS = 3_600_000; // receivers accept five minutes
const LATE_SECONDS = 10;
const ORDER_CHECK_SECONDS = 1;

/** `out_of_order` holds these: another event follows them, unless the shipment stays as it is. */
const HELD_EVENTS: readonly WebhookEvent[] = ['shipping.created', 'shipping.picked_up'];

export const signingTime = (at: Date, fault: Fault): Date =>
  fault === 'old_timestamp' ? new Date(at.getTime() - OLD_MS) : at;

export const signingSecret = (secret: string, fault: Fault): string =>
  fault === 'bad_signature' ? `not ${secret}` : secret;

/** The response as the service counts it: an event arrives twice in live mode too when its first response is lost. */
export function loseAnswer(answer: EndpointAnswer, attempt: number, fault: Fault): EndpointAnswer {
  const isLost = fault === 'three_failures' || (fault === 'twice' && attempt === 1);
  return isLost ? { ...answer, status: null, error: 'TEST_FAULT', answer: null } : answer;
}

/** Whether the event `e` is not sent to the webhook `w` at once. */
export const IS_HELD = sql`coalesce(
  w.test_fault = 'late' or (w.test_fault = 'out_of_order' and e.type = any(${HELD_EVENTS}::text[])), false)`;

/** When a held event may be sent, or is checked again. */
export const holdUntil = (fault: Fault): Date =>
  new Date(Date.now() + (fault === 'late' ? LATE_SECONDS : ORDER_CHECK_SECONDS) * 1_000);
