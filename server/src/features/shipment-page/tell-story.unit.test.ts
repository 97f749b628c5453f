import { expect, test } from 'vitest';
import { possibleActs } from './possible-acts.ts';
import { type StorySources, tellStory } from './tell-story.ts';

const NOTHING: StorySources = {
  history: [],
  doneAt: {},
  metresAway: {},
  cancellation: null,
  dispatch: [],
  messages: [],
  deliveries: [],
  money: [],
  pay: [],
  incidents: [],
  proofs: [],
  reports: [],
  acts: [],
};
const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute));
const ana = { id: 'a', name: 'Ana Leroy' };
const step = { driver: null, metres: null, seconds: null, previous: null, looked: [], details: {} };

test('things of every source come in the order of time; a reason comes before its effect', () => {
  const story = tellStory({
    ...NOTHING,
    history: [
      { status: 'created', at: at(0).toISOString() },
      { status: 'assigned', at: at(2).toISOString() },
    ],
    dispatch: [
      { ...step, at: at(1), kind: 'offered', driver: ana, metres: 1_234, seconds: 30 },
      { ...step, at: at(2), kind: 'assigned', driver: ana, metres: 1_234, details: { by: 'driver' } },
    ],
    money: [{ kind: 'charge', amountCents: -990, at: at(0) }],
  });
  expect(story.map(({ kind, driver, facts }) => [kind, driver?.name ?? null, facts])).toEqual([
    ['charged', null, { amount: 9.9 }],
    ['status', null, { status: 'created', doneAt: null, metresAway: null }],
    ['offered', 'Ana Leroy', { km: 1.2, seconds: 30 }],
    ['assigned', 'Ana Leroy', { km: 1.2, how: 'driver' }],
    ['status', null, { status: 'assigned', doneAt: null, metresAway: null }],
  ]);
});

test('an act of a person is one line, with the name', () => {
  const story = tellStory({
    ...NOTHING,
    dispatch: [{ ...step, at: at(5), kind: 'taken away', driver: ana }],
    acts: [{ at: at(5), act: 'shipment.unassigned', actor: 'Léa Morel', reason: null }],
  });
  expect(story).toMatchObject([{ kind: 'act', by: 'Léa Morel', facts: { act: 'shipment.unassigned' } }]);
});

test('an assignment by a person is one line with driver and person', () => {
  const story = tellStory({
    ...NOTHING,
    dispatch: [{ ...step, at: at(5), kind: 'assigned', driver: ana, details: { by: 'operator' } }],
    acts: [{ at: at(5), act: 'shipment.assigned', actor: 'Léa Morel', reason: null }],
  });
  expect(story).toMatchObject([{ kind: 'assigned', by: 'Léa Morel', driver: ana }]);
});

test('a step that the phone sent later shows when it was done', () => {
  const history = [{ status: 'delivered' as const, at: at(30).toISOString() }];
  const [late] = tellStory({ ...NOTHING, history, doneAt: { delivered: at(12).toISOString() } });
  expect(late?.facts.doneAt).toBe(at(12).toISOString());
});

test('the state decides which acts are possible', () => {
  const facts = { isReturned: false, hasOpenIncident: false, isPickupLocated: true, isDeliveryLocated: true };
  expect(possibleActs({ ...facts, status: 'created' })).toEqual(['assign', 'cancel']);
  expect(possibleActs({ ...facts, status: 'created', isDeliveryLocated: false })).toContain('locate_delivery');
  expect(possibleActs({ ...facts, status: 'assigned' })).toEqual(['assign', 'unassign', 'confirm_delivery', 'cancel']);
  expect(possibleActs({ ...facts, status: 'in_transit', hasOpenIncident: true })).toEqual([
    'resolve_incident',
    'confirm_delivery',
  ]);
  expect(possibleActs({ ...facts, status: 'in_transit', isReturned: true })).toEqual([]);
  expect(possibleActs({ ...facts, status: 'delivered' })).toEqual([]);
});
