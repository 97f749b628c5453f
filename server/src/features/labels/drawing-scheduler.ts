import { setImmediate } from 'node:timers/promises';

/** A document that a thread draws in time slices. */
export interface DrawnDocument {
  accountId: string;
  /** Draws for one time slice; returns whether it needs another one. */
  draw(): Promise<boolean>;
}

export interface DrawingScheduler {
  add(document: DrawnDocument): void;
}

/**
 * Chooses the document that a thread draws next: round-robin over accounts, then over the documents of an account. An
 * account gets the same share of the thread for one document as for eight.
 */
export function createDrawingScheduler(): DrawingScheduler {
  const byAccount = new Map<string, DrawnDocument[]>(); // in round-robin order
  let running = false;

  function add(document: DrawnDocument): void {
    const waiting = byAccount.get(document.accountId);
    if (waiting) waiting.push(document);
    else byAccount.set(document.accountId, [document]);
    if (!running) void run();
  }

  function next(): DrawnDocument | undefined {
    for (const [accountId, waiting] of byAccount) {
      byAccount.delete(accountId);
      const document = waiting.shift();
      if (waiting.length > 0) byAccount.set(accountId, waiting); // at the end of the queue
      return document;
    }
    return undefined;
  }

  async function run(): Promise<void> {
    running = true;
    for (;;) {
      await setImmediate(); // adds requests that arrived meanwhile first
      const document = next();
      if (!document) break;
      if (await document.draw()) add(document);
    }
    running = false;
  }

  return { add };
}
