import type { TestServer } from './test-server.ts';
import { startTestWorker } from './test-worker.ts';

/** A worker in this process, until the work is done. */
export async function withWorker<Result>(
  server: Pick<TestServer, 'config'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = await startTestWorker(server);
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}
