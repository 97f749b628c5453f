import type { RecurringRequest } from '@navette/contract';
import { Registry } from 'prom-client';
import type { Config } from '../src/config.ts';
import { createDatabase, createPool, withTimeLimits } from '../src/database/database.ts';
import { createAccountDirectory } from '../src/features/accounts/index.ts';
import type { RecurringContext } from '../src/features/recurring/create-due.ts';
import { buildCreationContext } from '../src/features/shipments/index.ts';
import { createJobSender } from '../src/jobs/boss.ts';
import { createLog } from '../src/observability/create-log.ts';
import { createTracer } from '../src/observability/tracer.ts';
import { shipmentRequest } from './shipment-request.ts';

/** Every Tuesday from 10 to 12, from 2026 on. */
export const recurringRequest = (changes: Partial<RecurringRequest> = {}): RecurringRequest => ({
  weekdays: [2],
  timeSlot: '10h-12h',
  startsOn: '2026-01-01',
  shipment: shipmentRequest(),
  ...changes,
});

/** The context of the worker's job, with a clock of the test and connections of its own. */
export async function openRecurring(
  config: Config,
  now: () => Date,
): Promise<RecurringContext & { close(): Promise<void> }> {
  const log = createLog('silent');
  const pool = createPool({ ...withTimeLimits(config), size: 4 });
  const jobs = await createJobSender(config, log);
  const db = createDatabase(pool);
  const tracer = createTracer(config, new Registry(), log);
  const pools = { prepared: pool, creation: pool };
  const accounts = createAccountDirectory(db, pool);
  const creation = buildCreationContext({ ...config, pools, jobs, accounts, tracer, now });
  return {
    db,
    jobs,
    creation,
    timeZone: config.timeZone,
    async close() {
      await Promise.all([jobs.stop(), pool.end(), tracer.stop()]);
    },
  };
}
