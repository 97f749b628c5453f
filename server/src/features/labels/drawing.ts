import { Readable } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { DrawingNews, DrawingOrder } from './drawing-thread.ts';
import type { Label } from './label.ts';

/** Draws off the event loop, in threads that start when first needed. */
export interface Drawing {
  /** One PDF with a page for each label, in order, as it gets ready; a reader that goes away stops it. */
  draw(labels: Label[]): Readable;
  drawFile(label: Label): Promise<Buffer>;
  stop(): Promise<void>;
}

interface Thread {
  worker: Worker;
  documents: number;
}

export function createDrawing(most: number): Drawing {
  const threads: Thread[] = [];

  /** The least busy thread, or a new one while all are busy and more are allowed. */
  function chooseThread(): Thread {
    const [idlest] = threads.toSorted((a, b) => a.documents - b.documents);
    if (idlest && (idlest.documents === 0 || threads.length >= most)) return idlest;
    const worker = new Worker(new URL('./drawing-thread.ts', import.meta.url));
    const thread = { worker, documents: 0 };
    worker.unref(); // no reason for the process to stay
    worker.on('error', () => {}); // its documents notice that their ports are closed
    worker.once('exit', () => threads.splice(threads.indexOf(thread), 1));
    threads.push(thread);
    return thread;
  }

  function draw(labels: Label[]): Readable {
    const thread = chooseThread();
    const { port1: port, port2: theirs } = new MessageChannel();
    let untold = 0; // chunks that wait in the stream, and that the thread is not to replace yet
    const document = new Readable({
      read() {
        for (; untold > 0; untold--) port.postMessage('taken');
      },
      destroy(error, done) {
        port.close();
        thread.documents--;
        done(error);
      },
    });
    port.on('message', (news: DrawingNews) => {
      if ('end' in news) document.push(null);
      else if ('error' in news) document.destroy(new Error(`a label could not be drawn: ${news.error}`));
      else if (document.push(news.chunk)) port.postMessage('taken');
      else untold++;
    });
    port.once('close', () => {
      if (!document.readableEnded) document.destroy(new Error('the drawing thread ended in the middle of a document'));
    });
    thread.documents++;
    const order: DrawingOrder = { labels, port: theirs };
    thread.worker.postMessage(order, [theirs]);
    return document;
  }

  return {
    draw,
    async drawFile(label) {
      const chunks: Buffer[] = [];
      for await (const chunk of draw([label])) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    async stop() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
