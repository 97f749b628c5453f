import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** TypeScript here, and JavaScript in the emulator's package. */
const THREAD = new URL(`./drawing-thread${extname(import.meta.url)}`, import.meta.url);

export interface Thread {
  worker: Worker;
  /** Number of documents being drawn. */
  documents: number;
}

/** Worker threads, started on demand. */
export interface Threads {
  /** The least busy thread, or a new one while all are busy and the limit is not reached. */
  choose(): Thread;
  stop(): Promise<void>;
}

export function createThreads(most: number): Threads {
  const threads: Thread[] = [];

  function start(): Thread {
    const worker = new Worker(THREAD);
    const thread = { worker, documents: 0 };
    worker.unref(); // does not keep the process running
    worker.on('error', () => {}); // its documents fail when their ports close
    worker.once('exit', () => threads.splice(threads.indexOf(thread), 1));
    threads.push(thread);
    return thread;
  }

  return {
    choose() {
      const [idlest] = threads.toSorted((a, b) => a.documents - b.documents);
      return idlest && (idlest.documents === 0 || threads.length >= most) ? idlest : start();
    },
    async stop() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
