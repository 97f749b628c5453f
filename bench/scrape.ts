import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createDatabase, createPool } from '../server/src/database/database.ts';
import { activateShipmentJob, followChangeJob } from '../server/src/jobs/definitions.ts';
import { fillTables } from '../server/test/fill-tables.ts';
import { freePort } from '../server/test/free-port.ts';
import { processorSeconds } from './load/tools.ts';
import { type Stack, startStack, startWorker } from './stack.ts';

const SHARED_FOR_MS = 1_050; // scrapes within a second share one computation: measure each of them
const DEFERRED_JOBS = 50_000; // activations of shipments that are programmed for later
const COMPLETED_JOBS = 100_000; // an hour of jobs that the engine has not deleted yet

interface Target {
  name: string;
  url: string;
  pid: number;
}

interface Times {
  p50Ms: number;
  p99Ms: number;
}

/**
 * `GET /metrics` of an api and a worker process, first on an empty database, then with this many messages, 60,000 rows in
 * the other tables and filled queues. Returns the figures of the slower one with the large database.
 */
export async function benchScrape(messages: number, scrapes: number): Promise<Times> {
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const stack = await startStack(0, { OPERATOR_PORT: String(apiPort) });
  const environment = { ...stack.environment, OPERATOR_PORT: String(workerPort) };
  const worker = await startWorker({ ...stack, environment });
  try {
    const targets = [
      { name: 'api', url: metricsAt(apiPort), pid: stack.pid },
      { name: 'worker', url: metricsAt(workerPort), pid: worker.pid ?? 0 },
    ];
    console.log('\nGET /metrics');
    await measure('empty database', targets, scrapes);
    await fill(stack, messages);
    const figures = await measure(`${messages.toLocaleString('en')} messages`, targets, scrapes);
    return figures.reduce((slowest, times) => (times.p50Ms > slowest.p50Ms ? times : slowest));
  } finally {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    await stack.stop();
  }
}

const metricsAt = (port: number) => `http://127.0.0.1:${port}/metrics`;

/** A busy machine adds to the times, so the fastest one and the CPU time of the process are printed as well. */
async function measure(title: string, targets: Target[], scrapes: number): Promise<Times[]> {
  const figures: Times[] = [];
  for (const { name, url, pid } of targets) {
    const times: number[] = [];
    const before = processorSeconds(pid);
    for (let i = -1; i < scrapes; i++) {
      await setTimeout(SHARED_FOR_MS);
      const started = performance.now();
      await (await fetch(url)).text();
      if (i >= 0) times.push(performance.now() - started); // the first one opens the connection
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    figures.push({ p50Ms: at(0.5), p99Ms: at(0.99) });
    const cpuMs = ((processorSeconds(pid) - before) * 1_000) / (scrapes + 1); // with all else that the process does
    console.log(
      `  ${title}, ${name}: fastest ${at(0).toFixed(1)} ms, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms of ${scrapes}; CPU ${cpuMs.toFixed(1)} ms a second`,
    );
  }
  return figures;
}

/** As after months of operation: nearly every row is finished, and a few are not. */
async function fill(stack: Stack, messages: number): Promise<void> {
  const pool = createPool({ databaseUrl: stack.databaseUrl, size: 1 });
  await fillTables(createDatabase(pool));
  await pool.end();
  await stack.sql(
    `insert into messages (account_id, id, shipment_id, kind, channel, status, created_at, sent_at, erased_at)
     select (select min(id::text)::uuid from accounts), gen_random_uuid(), gen_random_uuid(), 'recipient-email', 'email',
            case when n % 5000 = 0 then 'pending' else 'sent' end, now() - n * interval '3 seconds',
            now() - n * interval '3 seconds', case when n > 800000 then now() end
     from generate_series(1, $1::int) as n`,
    [messages],
  );
  await stack.sql(
    `insert into pgboss.job (name, data, start_after) select $1, '{}', now() + n * interval '1 minute'
     from generate_series(1, $2::int) as n`,
    [activateShipmentJob.name, DEFERRED_JOBS],
  );
  await stack.sql(
    `insert into pgboss.job (name, data, state, completed_on) select $1, '{}', 'completed', now()
     from generate_series(1, $2::int)`,
    [followChangeJob.name, COMPLETED_JOBS],
  );
  await stack.sql('vacuum analyze');
}
