import { describe, expect, test } from 'vitest';
import { type DrainContext, drain } from './drain.ts';
import type { OutboxEntry } from './entry.ts';
import type { Outcome } from './outcome.ts';

/** An outbox in memory, and a server that answers each attempt from a list. */
function createOutbox(entries: OutboxEntry[], answers: Record<string, Outcome[]>) {
  const sent: string[] = [];
  const responses: unknown[] = [];
  const context: DrainContext = {
    entries: async () => [...entries],
    apply: async ({ put, remove }, applied) => {
      entries = entries
        .filter(({ seq }) => !remove.includes(seq))
        .map((one) => put.find(({ seq }) => seq === one.seq) ?? one);
      if (applied) responses.push(applied.body);
    },
    send: async ({ commandId }) => {
      sent.push(commandId);
      return answers[commandId]?.shift() ?? { kind: 'done', body: { of: commandId } };
    },
    statusOf: async () => 'cancelled',
    now: () => 0,
    random: () => 0.5,
  };
  return { context, sent, responses, left: () => entries };
}

const entry = (seq: number, name: OutboxEntry['name'], shipmentId: string): OutboxEntry => ({
  ...{ seq, name, shipmentId, referenceNumber: null, body: {}, commandId: `${name}-${shipmentId}`, driverId: 'd' },
  ...{ doneAt: '', state: 'waiting', attempts: 0, nextAttemptAt: 0, refusal: null },
});

describe('sending the outbox', () => {
  test('empties it, in order per parcel, and keeps every response', async () => {
    const outbox = createOutbox([entry(1, 'pickUp', 'a'), entry(2, 'pickUp', 'b'), entry(3, 'depart', 'a')], {});
    expect(await drain(outbox.context)).toBe('drained');
    expect(outbox.sent).toEqual(['pickUp-a', 'pickUp-b', 'depart-a']);
    expect(outbox.left()).toEqual([]);
    expect(outbox.responses).toHaveLength(3);
  });

  test('stops at a lost connection without losing or reordering anything', async () => {
    const lost: Outcome = { kind: 'retry', afterMs: null };
    const outbox = createOutbox([entry(1, 'pickUp', 'a'), entry(2, 'depart', 'a')], { 'pickUp-a': [lost] });
    await drain(outbox.context);
    expect(outbox.sent).toEqual(['pickUp-a']);
    expect(outbox.left().map(({ name, attempts }) => [name, attempts])).toEqual([
      ['pickUp', 1],
      ['depart', 0],
    ]);
  });

  test('keeps everything when the session has ended', async () => {
    const outbox = createOutbox([entry(1, 'pickUp', 'a')], { 'pickUp-a': [{ kind: 'signed-out' }] });
    expect(await drain(outbox.context)).toBe('signed-out');
    expect(outbox.left()).toMatchObject([{ state: 'waiting' }]);
  });

  test('a parcel that was cancelled while the driver was offline ends in one card with that reason', async () => {
    const refusal = { status: 409, slug: 'NOT_ALLOWED_NOW', message: '', extra: {}, shipmentStatus: null };
    const outbox = createOutbox([entry(1, 'depart', 'a'), entry(2, 'deliver', 'a')], {
      'depart-a': [{ kind: 'refused', refusal }],
    });
    await drain(outbox.context);
    expect(outbox.sent).toEqual(['depart-a']);
    expect(outbox.left()).toMatchObject([
      { state: 'refused', refusal: { shipmentStatus: 'cancelled' } },
      { state: 'dropped' },
    ]);
  });
});
