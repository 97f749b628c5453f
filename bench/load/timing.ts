/** The value below which this share of sorted ones lies. */
export const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

/** Milliseconds until a successful answer. */
export async function timed(work: () => Promise<{ status: number }>): Promise<number> {
  const start = performance.now();
  const { status } = await work();
  if (status !== 200) throw new Error(`answered ${status}`);
  return performance.now() - start;
}
