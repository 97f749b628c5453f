import { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import type { DrawingMessage, DrawingRequest } from './drawing-thread.ts';
import { createThreads } from './drawing-threads.ts';
import { type Label, type LabelOutput, ONE_PER_PAGE } from './label.ts';

/** Draws labels in worker threads, started on demand, so that the event loop stays free. */
export interface DrawingPool {
  /** Streams one file with all labels, in order. It ends early when the reader disconnects or stops reading. */
  draw(accountId: string, labels: Label[], output?: LabelOutput): Readable;
  drawFile(accountId: string, label: Label): Promise<Buffer>;
  stop(): Promise<void>;
}

const STALLED_MS = 60_000; // without a read for so long, the client is gone or blocks its account's next export
const STALLED = 'the reader of labels has stopped reading';

/**
 * Single labels take milliseconds and somebody waits for them: they have a thread of their own. Documents with many
 * labels share the other threads, scheduled fairly between accounts.
 */
export function createDrawingPool(most: number, stalledMs = STALLED_MS): DrawingPool {
  const singles = createThreads(1);
  const documents = createThreads(most);

  function draw(accountId: string, labels: Label[], output = ONE_PER_PAGE): Readable {
    const thread = (labels.length === 1 ? singles : documents).choose();
    const { port1: port, port2: threadPort } = new MessageChannel();
    let unconfirmed = 0; // buffered chunks whose receipt the thread must not learn of yet: backpressure
    let stalled: NodeJS.Timeout | undefined;
    const document = new Readable({
      read() {
        clearTimeout(stalled);
        for (; unconfirmed > 0; unconfirmed--) port.postMessage('taken');
      },
      destroy(error, done) {
        clearTimeout(stalled);
        port.close();
        thread.documents--;
        done(error);
      },
    });
    port.on('message', (message: DrawingMessage) => {
      if ('end' in message) document.push(null);
      else if ('error' in message) document.destroy(new Error(`a label could not be drawn: ${message.error}`));
      else if (document.push(message.chunk)) port.postMessage('taken');
      else if (++unconfirmed === 1) stalled = setTimeout(() => document.destroy(new Error(STALLED)), stalledMs);
    });
    port.once('close', () => {
      if (!document.readableEnded) document.destroy(new Error('the drawing thread ended in the middle of a document'));
    });
    thread.documents++;
    const request: DrawingRequest = { accountId, labels, output, port: threadPort };
    thread.worker.postMessage(request, [threadPort]);
    return document;
  }

  return {
    draw,
    async drawFile(accountId, label) {
      const chunks: Buffer[] = [];
      for await (const chunk of draw(accountId, [label])) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    async stop() {
      await Promise.all([singles.stop(), documents.stop()]);
    },
  };
}
