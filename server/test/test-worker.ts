import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { openEngines } from '../src/cli/engines.ts';
import { createLog } from '../src/http/log.ts';
import { JOBS } from '../src/jobs/definitions.ts';
import { startWorker } from '../src/worker.ts';
import type { TestServer } from './test-server.ts';

export interface TestWorker {
  logged(): string;
  stop(): Promise<void>;
}

/** The worker role in this process, on the engines of a test server. */
export async function startTestWorker(server: Pick<TestServer, 'config'>, now?: () => Date): Promise<TestWorker> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const engines = openEngines(server.config, createLog('debug', sink));
  const worker = await startWorker({ ...engines, ...(now ? { now } : {}) });
  return {
    logged: () => lines.join(''),
    async stop() {
      await worker.stop();
      await engines.close();
    },
  };
}

/** Waits until every job that is due has been carried out, so that what has not happened by then does not happen. */
export async function workDone({ db }: Pick<TestServer, 'db'>): Promise<void> {
  const names = JOBS.filter(({ schedule }) => !schedule).map(({ name }) => name);
  const left = async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*) as left from pgboss.job where name = any(${names}) and state < 'completed'
        and (state = 'active' or start_after <= now() + interval '30 seconds')`.execute(db);
    return rows[0]?.left ?? 0;
  };
  await vi.waitFor(
    async () => {
      if ((await left()) > 0) throw new Error('jobs are still due');
    },
    { timeout: 15_000, interval: 50 },
  );
}
