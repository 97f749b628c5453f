const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The upper bound of a chart axis: a round number, at least the value, whose half is round too. 7 → 8, 260 → 300. */
export function topOfScale(value: number, whole: boolean): number {
  if (value <= 0) return whole ? 2 : 10;
  const power = 10 ** Math.floor(Math.log10(value));
  const tops = STEPS.map((step) => step * power).filter((top) => top >= value && (!whole || top % 2 === 0));
  return tops[0] ?? 10 * power;
}

const OUTLIER_TIMES = 3; // so many times the next lower value
const FEWEST_VALUES = 5; // fewer show no usual height that one of them could exceed
const OUTLIERS_PER = 15; // values; one in any case

/**
 * The highest value that the axis must show. One value that is several times higher than the others would flatten them, so it
 * is left out: its bar is cut.
 */
export function highestUsual(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => b - a);
  const highest = sorted[0] ?? 0;
  if (sorted.length < FEWEST_VALUES) return highest;
  const most = Math.max(1, Math.floor(values.length / OUTLIERS_PER));
  for (let left = 1; left <= most; left++) {
    const [lowestOutlier, next] = [sorted[left - 1] ?? 0, sorted[left] ?? 0];
    if (lowestOutlier > OUTLIER_TIMES * next) return next;
  }
  return highest;
}
