import type { Database } from '../database/database.ts';
import { daysAhead, FEWEST_DAYS_AHEAD } from '../database/partitions.ts';
import { type AuditFinding, toFinding } from './find-broken-rows.ts';

/** Whether the job that adds partitions does so: without a partition for today, nothing can be inserted. */
export async function auditPartitions(db: Database): Promise<AuditFinding[]> {
  const days = await daysAhead(db, new Date()); // ids are made by the real clock
  const short = [...days].filter(([, ahead]) => ahead < FEWEST_DAYS_AHEAD).map(([table]) => table);
  return [toFinding('a table that is partitioned by day has its partitions three days ahead', short)];
}
