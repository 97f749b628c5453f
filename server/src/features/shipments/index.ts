import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { coalesce } from '../../coalesce.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { createCreator, type Outcome } from './create-shipments.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import { createShipmentReader } from './read-shipment.ts';
import { bindShipmentRoutes } from './routes.ts';

export { auditShipments } from './audit.ts';

export interface ShipmentsOptions {
  db: Database;
  pools: { main: pg.Pool; creation: pg.Pool; long: pg.Pool };
  jobs: JobSender;
  accounts: AccountDirectory;
  timeZone: string;
  activationLeadMinutes: number;
  now: () => Date;
}

export function serveShipments(app: FastifyInstance, options: ShipmentsOptions): void {
  const { db, pools, jobs, accounts, timeZone, activationLeadMinutes, now } = options;
  const createMany = createCreator(pools.creation, jobs, timeZone, now);
  // Measured: 32 requests a statement and two statements at once carry twice what single transactions do.
  const createOne = coalesce<PreparedShipment, Outcome>({ most: 32, atOnce: 2 }, createMany);
  const creating = {
    accounts,
    reader: createShipmentReader(pools.main),
    pool: pools.main,
    createOne,
    createMany,
    context: () => ({ timeZone, activationLeadMinutes, now: now() }),
  };
  bindShipmentRoutes(app, { db, creating, exportPool: pools.long, timeZone, now });
}
