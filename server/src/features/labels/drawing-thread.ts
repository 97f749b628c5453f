/** Draws in a thread of its own, so that a thousand labels hold no request up. See drawing.ts for the other end. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { drawLabels } from './draw-labels.ts';
import type { Label } from './label.ts';

export interface DrawingOrder {
  labels: Label[];
  port: MessagePort;
}

export type DrawingNews = { chunk: Uint8Array } | { end: true } | { error: string };

const MOST_AHEAD = 8; // chunks sent and not yet taken: a slow reader must not fill the memory

parentPort?.on('message', (order: DrawingOrder) => void draw(order));

async function draw({ labels, port }: DrawingOrder): Promise<void> {
  let ahead = 0;
  let closed = false;
  port.on('message', () => ahead--); // one was taken
  port.on('close', () => {
    closed = true;
    port.emit('message', null); // wakes up whoever waits below
  });
  const tell = (news: DrawingNews) => port.postMessage(news);
  try {
    for await (const chunk of drawLabels(labels)) {
      tell({ chunk });
      ahead++;
      while (ahead >= MOST_AHEAD && !closed) await once(port, 'message');
      if (closed) return;
      await setImmediate(); // a single label asked for meanwhile does not wait for a thousand
    }
    tell({ end: true });
  } catch (error) {
    tell({ error: (error as Error).message });
  }
}
