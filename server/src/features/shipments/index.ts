import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { coalesce } from '../../coalesce.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import type { Creating } from './create-shipment.ts';
import { createCreator, type Outcome } from './create-shipments.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import { createShipmentReader } from './read-shipment.ts';
import { bindShipmentRoutes } from './routes.ts';

export { checkAccount, findBlocks } from './account-checks.ts';
export { auditShipments } from './audit.ts';
export { cancelShipment } from './cancel-shipment.ts';
export { changeStatus } from './change-status.ts';
export { type Creating, createShipment, refusalOf } from './create-shipment.ts';
export { judgeMoney } from './judge-money.ts';
export { transition } from './lifecycle.ts';
export { locateShipment, setLocation } from './locate-shipment.ts';
export {
  checkFieldsTogether,
  type PreparationContext,
  type PreparedShipment,
  prepareShipment,
} from './prepare-shipment.ts';
export { projectionOf, type ShipmentReader } from './read-shipment.ts';
export { isReferenceNumber } from './reference-number.ts';
export { findRange, findShipmentIds } from './shipment-filter.ts';
export { readSignedReference, signReference } from './signed-reference.ts';

export interface CreatingOptions {
  pools: { main: pg.Pool; creation: pg.Pool };
  jobs: JobSender;
  accounts: AccountDirectory;
  timeZone: string;
  activationLeadMinutes: number;
  now: () => Date;
}

/** What it takes to create, shared by all that do. */
export function prepareCreating(options: CreatingOptions): Creating {
  const { pools, jobs, accounts, timeZone, activationLeadMinutes, now } = options;
  const createMany = createCreator(pools.creation, jobs, timeZone, now);
  return {
    accounts,
    reader: createShipmentReader(pools.main),
    pool: pools.main,
    // Measured: 32 requests a statement and two statements at once carry twice what single transactions do.
    createOne: coalesce<PreparedShipment, Outcome>({ most: 32, atOnce: 2 }, createMany),
    createMany,
    context: () => ({ timeZone, activationLeadMinutes, now: now() }),
  };
}

export interface ShipmentsOptions {
  db: Database;
  pools: CreatingOptions['pools'] & { long: pg.Pool };
  jobs: JobSender;
  creating: Creating;
  timeZone: string;
  now: () => Date;
}

export function serveShipments(app: FastifyInstance, options: ShipmentsOptions): void {
  const { db, pools, jobs, creating, timeZone, now } = options;
  bindShipmentRoutes(app, { db, jobs, creating, exportPool: pools.long, timeZone, now });
}
