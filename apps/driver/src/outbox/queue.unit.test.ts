import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandName, OutboxEntry } from './entry.ts';
import type { Outcome } from './outcome.ts';
import { applyOutcome, backoff, dueEntries, nextAttemptOf, replacedBy, retryNow } from './queue.ts';

const NOW = 1_000_000;
const AT = { now: NOW, random: 0.5 };

function entry(seq: number, name: CommandName, shipmentId: string | null = 'a', changes: Partial<OutboxEntry> = {}) {
  return {
    ...{ seq, name, shipmentId, referenceNumber: null, body: {}, commandId: `command-${seq}`, driverId: 'd' },
    ...{ doneAt: '2026-11-16T10:00:00.000Z', state: 'waiting', attempts: 0, nextAttemptAt: 0, refusal: null },
    ...changes,
  } as OutboxEntry;
}
const refused: Outcome = {
  kind: 'refused',
  refusal: { status: 409, slug: 'NOT_ALLOWED_NOW', message: '', extra: {}, shipmentStatus: 'cancelled' },
};
const names = (entries: OutboxEntry[]) => entries.map(({ name, shipmentId }) => `${name} ${shipmentId}`);

describe('the outbox', () => {
  test('sends the steps of one parcel in order, and parcels independently of each other', () => {
    const entries = [entry(3, 'deliver'), entry(1, 'pickUp'), entry(2, 'pickUp', 'b'), entry(4, 'depart', 'b')];
    expect(names(dueEntries(entries, NOW))).toEqual(['pickUp a', 'pickUp b']);
  });

  test('a step that waits for its next attempt holds back its own parcel only', () => {
    const entries = [entry(1, 'pickUp', 'a', { nextAttemptAt: NOW + 1 }), entry(2, 'depart'), entry(3, 'pickUp', 'b')];
    expect(names(dueEntries(entries, NOW))).toEqual(['pickUp b']);
    expect(nextAttemptOf(entries)).toBe(0);
  });

  test('a photo does not hold back the delivery of its parcel', () => {
    const entries = [entry(1, 'addProof', 'a', { nextAttemptAt: NOW + 9 }), entry(2, 'deliver')];
    expect(names(dueEntries(entries, NOW))).toEqual(['deliver a']);
  });

  test('a refused step stays as a card; later steps of the parcel are dropped, its incident and photos are sent', () => {
    const pickUp = entry(1, 'pickUp');
    const entries = [
      pickUp,
      entry(2, 'depart'),
      entry(3, 'reportIncident'),
      entry(4, 'addProof'),
      entry(5, 'pickUp', 'b'),
    ];
    const { put, remove } = applyOutcome(entries, pickUp, refused, AT);
    expect(remove).toEqual([]);
    expect(put.map(({ seq, state }) => [seq, state])).toEqual([
      [1, 'refused'],
      [2, 'dropped'],
    ]);
    const after = entries.map((one) => put.find(({ seq }) => seq === one.seq) ?? one);
    expect(names(dueEntries(after, NOW))).toEqual(['reportIncident a', 'addProof a', 'pickUp b']);
  });

  test('a lost answer is retried later with the same id and time', () => {
    const [first] = applyOutcome([], entry(1, 'deliver'), { kind: 'retry', afterMs: null }, AT).put;
    expect(first).toMatchObject({ commandId: 'command-1', doneAt: '2026-11-16T10:00:00.000Z', attempts: 1 });
    expect(first?.nextAttemptAt).toBe(NOW + 2_000);
  });

  test('waits as long as the server asks for', () => {
    const { put } = applyOutcome([], entry(1, 'deliver'), { kind: 'retry', afterMs: 30_000 }, AT);
    expect(put[0]?.nextAttemptAt).toBe(NOW + 30_000);
  });

  test('delays grow from 2 seconds to a minute, spread by a quarter', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((attempts) => backoff(attempts, 0.5) / 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(backoff(6, 0)).toBe(45_000);
    expect(backoff(6, 1)).toBe(75_000);
  });

  test('everything is due at once when the network is back', () => {
    const entries = [
      entry(1, 'pickUp', 'a', { nextAttemptAt: NOW + 50_000 }),
      entry(2, 'depart', 'b', { state: 'refused' }),
    ];
    expect(retryNow(entries, NOW)).toMatchObject([{ seq: 1, nextAttemptAt: NOW }]);
  });

  test('a newer choice of availability replaces one that was never sent', () => {
    const tried = entry(1, 'setAvailability', null, { attempts: 1 });
    const entries = [tried, entry(2, 'setAvailability', null), entry(3, 'pickUp')];
    expect(replacedBy(entries, { name: 'setAvailability' })).toEqual([2]);
    expect(replacedBy(entries, { name: 'pickUp' })).toEqual([]);
  });

  test('with any mixture of failures, each parcel’s steps are applied in order and each once', () => {
    const step = fc.constantFrom<CommandName>('pickUp', 'depart', 'deliver');
    const parcels = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), step), { maxLength: 12 });
    fc.assert(
      fc.property(parcels, fc.array(fc.boolean(), { maxLength: 40 }), (commands, failures) => {
        let entries = commands.map(([shipmentId, name], seq) => entry(seq, name, shipmentId));
        const applied: OutboxEntry[] = [];
        for (let round = 0, now = 0; entries.length > 0; round++, now += 120_000) {
          for (const due of dueEntries(entries, now)) {
            const outcome: Outcome = failures[round] ? { kind: 'retry', afterMs: null } : { kind: 'done', body: {} };
            if (outcome.kind === 'done') applied.push(due);
            const { put, remove } = applyOutcome(entries, due, outcome, { now, random: 0.5 });
            entries = entries
              .filter(({ seq }) => !remove.includes(seq))
              .map((one) => put.find(({ seq }) => seq === one.seq) ?? one);
          }
        }
        for (const parcel of ['a', 'b', 'c']) {
          const order = applied.filter(({ shipmentId }) => shipmentId === parcel).map(({ seq }) => seq);
          expect(order).toEqual(commands.flatMap(([id], seq) => (id === parcel ? [seq] : [])));
        }
      }),
    );
  });
});
