import { isDeepStrictEqual } from 'node:util';
import type { DayRow } from './tally.ts';

const nameOf = ({ dimension, day, key }: DayRow) => `${day} ${dimension} ${key}`.trimEnd();

/** Names of the rows that differ, in their order. Rows without any figure count as absent. */
export function differingRows(counted: DayRow[], computed: DayRow[]): string[] {
  const [before, after] = [byName(counted), byName(computed)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name))).toSorted();
}

const byName = (rows: DayRow[]) => new Map(rows.filter(isCounted).map((row) => [nameOf(row), row]));

const isCounted = ({ delivered, returned, cancelled, incidents }: DayRow) =>
  delivered + returned + cancelled > 0 || Object.keys(incidents).length > 0;
