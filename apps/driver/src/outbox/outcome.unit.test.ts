import { describe, expect, test } from 'vitest';
import type { CommandRefusal } from './entry.ts';
import { dependsOnStatus, judgeResponse, judgeWithStatus } from './outcome.ts';

const received = (status: number, body: Record<string, unknown> | null = { success: status < 300 }) =>
  judgeResponse({ status, body, retryAfter: null }).kind;

describe('a response to a command', () => {
  test.each([
    [200, 'done'],
    [201, 'done'],
    [400, 'refused'],
    [401, 'signed-out'],
    [403, 'refused'],
    [404, 'refused'],
    [408, 'retry'],
    [409, 'refused'],
    [413, 'refused'],
    [429, 'retry'],
    [500, 'retry'],
    [502, 'retry'],
    [503, 'retry'],
  ])('with status %i means: %s', (status, kind) => {
    expect(received(status)).toBe(kind);
  });

  test('that never arrived, or comes from a captive portal, is asked for again', () => {
    expect(judgeResponse(null).kind).toBe('retry');
    expect(received(200, null)).toBe('retry');
    expect(received(200, { login: true })).toBe('retry');
    expect(received(404, null)).toBe('retry');
  });

  test('that refuses keeps slug, message and further fields', () => {
    const body = { success: false, error: 'WRONG_DELIVERY_CODE', message: 'Code incorrect', attemptsLeft: 3 };
    expect(judgeResponse({ status: 403, body, retryAfter: null })).toMatchObject({
      refusal: { slug: 'WRONG_DELIVERY_CODE', message: 'Code incorrect', extra: { attemptsLeft: 3 } },
    });
  });

  test('that names a delay is retried after it', () => {
    expect(judgeResponse({ status: 429, body: {}, retryAfter: 12 })).toEqual({ kind: 'retry', afterMs: 12_000 });
  });
});

describe('a step that the status does not allow', () => {
  const refusal: CommandRefusal = {
    status: 409,
    slug: 'NOT_ALLOWED_NOW',
    message: '',
    extra: {},
    shipmentStatus: null,
  };

  test.each([
    ['pickUp', 'in_transit'],
    ['depart', 'delivered'],
    ['deliver', 'delivered'],
  ] as const)('%s is done when another phone brought the parcel to %s', (name, status) => {
    expect(judgeWithStatus(name, refusal, status).kind).toBe('done');
  });

  test.each([
    ['pickUp', 'cancelled'],
    ['deliver', 'gone'],
    ['depart', 'assigned'],
    ['abandon', 'in_transit'],
  ] as const)('%s is refused when the parcel is %s, and the card knows it', (name, status) => {
    expect(judgeWithStatus(name, refusal, status)).toMatchObject({
      kind: 'refused',
      refusal: { shipmentStatus: status },
    });
  });

  test('is looked up for conflicts and missing runs only', () => {
    expect(dependsOnStatus('pickUp', refusal)).toBe(true);
    expect(dependsOnStatus('deliver', { ...refusal, status: 404, slug: null })).toBe(true);
    expect(dependsOnStatus('deliver', { ...refusal, status: 403, slug: 'WRONG_DELIVERY_CODE' })).toBe(false);
  });
});
