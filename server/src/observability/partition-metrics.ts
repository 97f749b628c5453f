import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { daysAhead } from '../database/partitions.ts';
import { createSharedGauges } from './shared-gauges.ts';

/** How many days ahead the tables that are partitioned by day have their partitions. */
export function measurePartitions(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, () => daysAhead(db, new Date()));
  define('partition_days_ahead', 'Days after today for which a table has partitions', ['table'], (days) =>
    [...days].map(([table, ahead]) => [{ table }, ahead]),
  );
}
