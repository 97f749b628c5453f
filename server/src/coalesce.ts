/**
 * Many callers, few statements. Calls that arrive while statements are running wait and go together into the next
 * one, so a busy process does one round trip for dozens of requests and an idle one adds no delay: there is no timer.
 */
export interface CoalesceOptions {
  /** Most calls in one statement. */
  most: number;
  /** Statements that may run at once. */
  atOnce: number;
}

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/** `run` answers one output per input, in the same order; if it fails, each of its callers is told so. */
export function coalesce<In, Out>(
  { most, atOnce }: CoalesceOptions,
  run: (inputs: In[]) => Promise<Out[]>,
): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;
  let scheduled = false;

  async function runNext(): Promise<void> {
    running++;
    const batch = waiting.splice(0, most);
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
    while (waiting.length > 0 && running < atOnce) void runNext();
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // One turn of the event loop later, so that requests which were read together travel together.
      if (!scheduled && running < atOnce) {
        scheduled = true;
        setImmediate(start);
      }
    });
}
