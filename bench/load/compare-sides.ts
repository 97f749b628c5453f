import { at } from './timing.ts';

const ALLOWED_RATIO = 1.3;
const ALLOWED_P95_MS = 300;

/**
 * The same request in a small and in a large company, in turn, so that both have the same machine. Prints both, and returns
 * whether the large one is fast enough: by the median, since the tail of a busy machine is noise, and by its own p95.
 */
export async function compareSides<Side>(
  [small, large]: readonly [Side, Side],
  name: string,
  requests: number,
  work: (side: Side, nth: number) => Promise<number>,
): Promise<boolean> {
  const times = { small: [] as number[], large: [] as number[] };
  for (const side of [small, large]) for (let nth = 0; nth < WARM_UP; nth++) await work(side, nth);
  for (let nth = 0; nth < requests; nth++) {
    times.small.push(await work(small, nth));
    times.large.push(await work(large, nth));
  }
  const [few, many] = [times.small, times.large].map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
  const ratioAt = (share: number) => at(many, share) / at(few, share);
  const isFine = ratioAt(0.5) <= ALLOWED_RATIO && at(many, 0.95) < ALLOWED_P95_MS;
  console.log(
    `  ${name.padEnd(24)} ${both(few)}, ${both(many)}, ratio of p50 ${ratioAt(0.5).toFixed(2)}, of p95 ${ratioAt(0.95).toFixed(2)}${isFine ? '' : '  TOO MUCH'}`,
  );
  return isFine;
}

const WARM_UP = 3;
const both = (sorted: number[]) => `${at(sorted, 0.5).toFixed(1)} / ${at(sorted, 0.95).toFixed(1)} ms`;
