/** Runs work at an interval, one at a time. A failure, such as an outage of PostgreSQL, ends with the next turn. */
export function repeat(everyMs: number, work: () => Promise<void>): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void work()
      .catch(() => {})
      .finally(() => {
        isRunning = false;
      });
  }, everyMs).unref();
}
