export interface CoalesceOptions {
  /** The largest number of calls in one statement. */
  maxBatch: number;
  /** How many statements may run at the same time. */
  maxRunning: number;
}

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches calls. Those that arrive while statements are running are batched into the next one, so a busy process makes
 * one round trip for dozens of requests. There is no timer, so an idle process adds no delay.
 * `run` returns one output per input, in the same order. If it fails, every call of the batch rejects.
 */
export function coalesce<In, Out>(
  { maxBatch, maxRunning }: CoalesceOptions,
  run: (inputs: In[]) => Promise<Out[]>,
): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;
  let scheduled = false;

  async function runNext(): Promise<void> {
    running++;
    const batch = waiting.splice(0, maxBatch);
    try {
      const outputs = await run(batch.map(({ input }) => input));
      for (const [i, { resolve }] of batch.entries()) resolve(outputs[i] as Out);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running--;
    start();
  }

  function start(): void {
    scheduled = false;
    while (waiting.length > 0 && running < maxRunning) void runNext();
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // On the next turn of the event loop, so that requests received together share a batch.
      if (!scheduled && running < maxRunning) {
        scheduled = true;
        setImmediate(start);
      }
    });
}
