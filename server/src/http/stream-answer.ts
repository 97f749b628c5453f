import { Readable } from 'node:stream';

const STALLED_MS = 60_000; // a client that reads nothing for this long is gone, or wastes our memory

/**
 * Streams a response while it is produced. The response starts with its first chunk, so a failure before that is sent as
 * an error. A later failure breaks the connection, so that no client mistakes the part for the whole. Backpressure: the
 * next chunk is produced when the client has read the previous one.
 */
export async function streamAnswer(chunks: AsyncGenerator<string>, stalledMs = STALLED_MS): Promise<Readable> {
  const first = await chunks.next();
  const abort = () => stream.destroy(new Error('the client of a streamed response has stopped reading'));
  async function* paced(): AsyncGenerator<string> {
    for (let next = first; !next.done; next = await chunks.next()) {
      const timer = setTimeout(abort, stalledMs).unref();
      try {
        yield next.value;
      } finally {
        clearTimeout(timer);
      }
    }
  }
  const stream = Readable.from(paced(), { objectMode: false, highWaterMark: 256 * 1024 });
  return stream;
}
