/** Runs in a worker thread, so that drawing a thousand labels blocks no request. drawing-pool.ts is the other end. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { drawA4Sheets, drawLabels } from './draw-labels.ts';
import { createDrawingScheduler, type DrawnDocument } from './drawing-scheduler.ts';
import type { Label, LabelOutput } from './label.ts';
import { writeZpl } from './zpl/write-zpl.ts';

export interface DrawingRequest {
  accountId: string;
  labels: Label[];
  output: LabelOutput;
  port: MessagePort;
}

export type DrawingMessage = { chunk: Uint8Array } | { end: true } | { error: string };

const TIME_SLICE_MS = 20; // about ten labels
const MAX_UNREAD_CHUNKS = 4; // sent and not yet read: backpressure, so that a slow reader does not fill the memory

const scheduler = createDrawingScheduler();
parentPort?.on('message', (request: DrawingRequest) => scheduler.add(toDocument(request)));

const DRAWINGS = {
  page: ({ labels }: DrawingRequest) => drawLabels(labels),
  a4: ({ labels, output }: DrawingRequest) => drawA4Sheets(labels, output.firstPosition),
  zpl: ({ labels }: DrawingRequest) => writeZpl(labels),
};

function toDocument(request: DrawingRequest): DrawnDocument {
  const { accountId, port } = request;
  const pages = DRAWINGS[request.output.format](request);
  let unread = 0;
  let waitsForReader = false;
  let closed = false;
  const send = (message: DrawingMessage) => port.postMessage(message);

  async function draw(): Promise<boolean> {
    if (closed) return false;
    try {
      const { chunk, ended } = await drawForOneSlice();
      send({ chunk });
      if (ended) send({ end: true });
      unread++;
      waitsForReader = !ended && unread >= MAX_UNREAD_CHUNKS;
      return !ended && !waitsForReader;
    } catch (error) {
      send({ error: (error as Error).message });
      return false;
    }
  }

  async function drawForOneSlice() {
    const chunks: Buffer[] = [];
    const until = performance.now() + TIME_SLICE_MS;
    do {
      const { value, done } = await pages.next();
      if (done) return { chunk: Buffer.concat(chunks), ended: true };
      chunks.push(value);
    } while (performance.now() < until);
    return { chunk: Buffer.concat(chunks), ended: false };
  }

  const document: DrawnDocument = { accountId, draw };
  port.on('message', () => {
    unread--; // the reader took a chunk
    if (!waitsForReader) return;
    waitsForReader = false;
    scheduler.add(document);
  });
  port.on('close', () => {
    closed = true;
  });
  return document;
}
