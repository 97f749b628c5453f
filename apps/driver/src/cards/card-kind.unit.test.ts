import { expect, test } from 'vitest';
import type { CommandRefusal, OutboxEntry } from '../outbox/entry.ts';
import { cardKindOf } from './card-kind.ts';

const card = (name: OutboxEntry['name'], slug: string | null, changes: Partial<CommandRefusal> = {}) =>
  cardKindOf({ name, refusal: { status: 409, slug, message: '', extra: {}, shipmentStatus: null, ...changes } });

test.each([
  ['a code that was typed offline and is wrong', card('deliver', 'WRONG_DELIVERY_CODE'), 'wrongCode'],
  ['a fifth wrong code', card('deliver', 'DELIVERY_CODE_LOCKED'), 'codeLocked'],
  ['a parcel cancelled meanwhile', card('deliver', 'NOT_ALLOWED_NOW', { shipmentStatus: 'cancelled' }), 'cancelled'],
  ['a run of another driver by now', card('pickUp', null, { status: 404, shipmentStatus: 'gone' }), 'gone'],
  ['an id that was used for something else', card('depart', 'COMMAND_ID_REUSED'), 'reused'],
  ['an offer that came to nothing', card('acceptOffer', 'OFFER_GONE'), 'offerGone'],
  ['an offer that nobody knows any more', card('refuseOffer', null, { status: 404 }), 'offerGone'],
  ['a photo that nobody can read', card('addProof', 'NOT_AN_IMAGE'), 'photo'],
  ['a refusal that this version does not know', card('pickUp', 'SOMETHING_NEW'), 'other'],
  ['availability', card('setAvailability', null, { status: 400 }), 'unavailable'],
])('%s has its own card', (_what, kind, expected) => {
  expect(kind).toBe(expected);
});
