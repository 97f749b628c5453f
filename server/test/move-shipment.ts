import { type Change, type ChangeOutcome, changeStatus } from '../src/features/shipments/change-status.ts';
import type { Trigger } from '../src/features/shipments/lifecycle.ts';
import type { TestAccount, TestServer } from './test-server.ts';

/** Changes the status as drivers, dispatch and the operator do, in its own transaction. */
export function moveShipment(
  { db, jobs, config }: Pick<TestServer, 'db' | 'jobs' | 'config'>,
  account: Pick<TestAccount, 'id'>,
  shipmentId: string,
  trigger: Trigger,
  change: Partial<Change> = {},
): Promise<ChangeOutcome> {
  const { timeZone } = config;
  return db.transaction().execute((tx) =>
    changeStatus(tx, jobs, account.id, shipmentId, {
      trigger,
      channel: 'http',
      now: new Date(),
      timeZone,
      ...change,
    }),
  );
}
