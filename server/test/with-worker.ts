import type { TestServer } from './test-server.ts';
import { startTestWorker } from './test-worker.ts';

/** Runs a worker in this process while `work` runs. */
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
