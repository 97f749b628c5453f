import type { InboxEntry } from '@navette/contract';
import { describe, expect, test } from 'vitest';
import { countHeld, mergeRows, type Row } from './merge-rows.ts';

const entry = (key: string, version = 0) => ({ key, version }) as InboxEntry;
const shown = (...keys: string[]): Row[] => keys.map((key) => ({ entry: entry(key), isGone: false }));
/** Without `keys`: the entries are the whole list. */
const merge = (refresh: Omit<Parameters<typeof mergeRows>[0], 'keys'> & { keys?: string[] }) =>
  mergeRows({ keys: refresh.latest.map(({ key }) => key), ...refresh });
const texts = (rows: Row[]) =>
  rows.map(({ entry: { key, version }, isGone }) => `${key}${version}${isGone ? ' gone' : ''}`);

describe('a refresh of the inbox', () => {
  test('applies the order of the server while nobody is about to click', () => {
    const rows = merge({
      shown: shown('a', 'b'),
      latest: [entry('c'), entry('b', 1)],
      selectedKey: null,
      isFrozen: false,
    });
    expect(texts(rows)).toEqual(['c0', 'b1']);
  });

  test('moves nothing while the person is about to click: changed rows change in place, ended ones say so', () => {
    const latest = [entry('c'), entry('b', 1)];
    const rows = merge({ shown: shown('a', 'b'), latest, selectedKey: 'b', isFrozen: true });
    expect(texts(rows)).toEqual(['a0 gone', 'b1']);
    expect(countHeld(rows, latest)).toBe(1);
  });

  test('keeps the selected row in its place when its entry has ended', () => {
    const rows = merge({
      shown: shown('a', 'b', 'c'),
      latest: [entry('a'), entry('c')],
      selectedKey: 'b',
      isFrozen: false,
    });
    expect(texts(rows)).toEqual(['a0', 'b0 gone', 'c0']);
  });

  test('an entry below the last row has not ended', () => {
    const refresh = {
      shown: shown('a', 'b'),
      latest: [entry('c'), entry('a')],
      keys: ['c', 'a', 'b'],
      selectedKey: 'b',
    };
    expect(texts(merge({ ...refresh, isFrozen: true }))).toEqual(['a0', 'b0']);
    expect(texts(merge({ ...refresh, isFrozen: false }))).toEqual(['c0', 'b0', 'a0']);
  });

  test('shows an ended entry as usual when it comes back', () => {
    const gone = [{ entry: entry('a'), isGone: true }];
    const rows = merge({ shown: gone, latest: [entry('a', 2)], selectedKey: 'a', isFrozen: true });
    expect(texts(rows)).toEqual(['a2']);
  });

  test('fills an empty list even under the pointer', () => {
    expect(texts(merge({ shown: [], latest: [entry('a')], selectedKey: null, isFrozen: true }))).toEqual(['a0']);
  });
});
