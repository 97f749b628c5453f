import { describe, expect, test } from 'vitest';
import { columnsAfter, type InboxStateRow, stateOf } from './inbox-states.ts';

const NOW = new Date('2026-03-04T14:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const entry = { since: minutesAgo(30) };
const alex = { id: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60', name: 'Alex' };
const untouched: NonNullable<InboxStateRow> = {
  ...{ key: 'late:1', since: entry.since, taken_by: null, taken_by_name: null, taken_at: null, snoozed_until: null },
  ...{ resolved_at: null, resolved_by: null, note: null, version: 0, changed_at: NOW, changed_by: '', last_change: '' },
};
type Change = Parameters<typeof columnsAfter>[0];

/** The row after some changes, one after the other. */
const after = (...changes: Change[]) =>
  changes.reduce((row, change) => Object.assign(row, columnsAfter(change, entry, alex, NOW)), { ...untouched });
const inAnHour = minutesAgo(-60).toISOString();

describe('the state of an entry', () => {
  test.each<[changes: Change[], state: string]>([
    [[], 'open'],
    [[{ change: 'take' }], 'taken'],
    [[{ change: 'take' }, { change: 'release' }], 'open'],
    [[{ change: 'snooze', until: inAnHour }], 'snoozed'],
    [[{ change: 'snooze', until: inAnHour }, { change: 'take' }], 'taken'],
    [[{ change: 'resolve' }], 'resolved'],
    [[{ change: 'take' }, { change: 'resolve' }, { change: 'reopen' }], 'open'],
    [[{ change: 'resolve' }, { change: 'take' }], 'taken'],
  ])('after %j is %s', (changes, state) => {
    expect(stateOf(entry, after(...changes), NOW)).toBe(state);
  });

  test('is open when nobody has touched it', () => {
    expect(stateOf(entry, null, NOW)).toBe('open');
  });

  test('is open again when its fact has ended and started again since it was resolved', () => {
    const row = after({ change: 'take' }, { change: 'resolve' });
    expect(stateOf({ since: minutesAgo(1) }, row, NOW)).toBe('open');
  });

  test('is snoozed until its time, and then again with the person who had taken it', () => {
    const row = after({ change: 'take' }, { change: 'snooze', until: NOW.toISOString() });
    expect(stateOf(entry, row, minutesAgo(1))).toBe('snoozed');
    expect(stateOf(entry, row, NOW)).toBe('taken');
  });

  test('keeps its note until another one is written', () => {
    expect(after({ change: 'take', note: 'called' }, { change: 'release' }).note).toBe('called');
    expect(after({ change: 'take', note: 'called' }, { change: 'resolve', note: 'done' }).note).toBe('done');
  });
});
