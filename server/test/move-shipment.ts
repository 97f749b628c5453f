import { type Change, type Changed, changeStatus } from '../src/features/shipments/change-status.ts';
import type { Trigger } from '../src/features/shipments/lifecycle.ts';
import type { TestAccount, TestServer } from './test-server.ts';

/** What drivers, dispatch and the operator do to a shipment, in a transaction of its own. */
export function moveShipment(
  { db, jobs, config }: Pick<TestServer, 'db' | 'jobs' | 'config'>,
  account: Pick<TestAccount, 'id'>,
  shipmentId: string,
  trigger: Trigger,
  change: Partial<Change> = {},
): Promise<Changed> {
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
