/**
 * Times in logarithmic buckets: bucket n holds times above `FIRST_SECONDS * GROWTH^(n-1)` and up to `FIRST_SECONDS * GROWTH^n`;
 * bucket 0 holds all up to `FIRST_SECONDS`. Histograms of two days are added bucket by bucket. A quantile is reported as
 * the geometric middle of its bucket, so it is at most 2.5 % away from the exact one (sqrt of GROWTH, minus 1).
 * Times up to ten seconds are reported as five. Stored histograms refer to these constants: they never change.
 */
const FIRST_SECONDS = 10;
const GROWTH = 1.05;
const LAST_BUCKET = 250; // 23 days; longer times count as these

/** Numbers by label: runs by bucket, incidents by kind. */
export type Counts = Record<string, number>;

/** The bucket of a time. A negative one, of clocks that differ, counts as none. */
export function bucketOf(seconds: number): number {
  if (seconds <= FIRST_SECONDS) return 0;
  return Math.min(LAST_BUCKET, Math.ceil(Math.log(seconds / FIRST_SECONDS) / Math.log(GROWTH) - 1e-9));
}

/** The time, in seconds, that this share of the runs did not exceed; null without any. */
export function quantileOf(histogram: Counts, share: number): number | null {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .toSorted((a, b) => a.bucket - b.bucket);
  const rank = share * sumOf(histogram);
  let seen = 0;
  for (const { bucket, count } of buckets) {
    seen += count;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}

const middleOf = (bucket: number): number =>
  bucket === 0 ? FIRST_SECONDS / 2 : Math.round(FIRST_SECONDS * GROWTH ** (bucket - 0.5));

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

export function addCounts(sum: Counts, more: Counts): void {
  for (const [label, count] of Object.entries(more)) sum[label] = (sum[label] ?? 0) + count;
}
