const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The upper bound of a chart axis: a round number, at least the value, whose half is round too. 7 → 8, 260 → 300. */
export function topOfScale(value: number, whole: boolean): number {
  if (value <= 0) return whole ? 2 : 10;
  const power = 10 ** Math.floor(Math.log10(value));
  const tops = STEPS.map((step) => step * power).filter((top) => top >= value && (!whole || top % 2 === 0));
  return tops[0] ?? 10 * power;
}
