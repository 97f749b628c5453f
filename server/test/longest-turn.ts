/**
 * The most CPU time, in milliseconds, that this thread spent between two turns of its event loop while `work` ran: how
 * long it blocked other requests. CPU time instead of elapsed time, so that other programs do not count.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    next = setImmediate(measure);
  };
  let next = setImmediate(measure);
  await work();
  clearImmediate(next);
  return longest;
}
