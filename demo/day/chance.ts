/** A seeded random generator: the same seed gives the same plan (mulberry32). */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  between(least: number, most: number): number;
  isLuck(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

export function createChance(seed: number): Chance {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    isLuck: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}
