import type { Readable } from 'node:stream';
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts';
import { streamAnswer } from '../../http/stream-answer.ts';

/**
 * Streams a large response once the account's previous one has ended. However many an account requests, it uses the
 * memory and time of one in each process.
 */
export async function streamExclusively(
  mutex: KeyedMutex,
  accountId: string,
  chunks: AsyncGenerator<string>,
  stalledMs?: number,
): Promise<Readable> {
  const release = await mutex.acquire(accountId);
  try {
    const stream = await streamAnswer(chunks, stalledMs);
    return stream.once('close', release);
  } catch (error) {
    release();
    throw error;
  }
}
