import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { createSharedGauges } from '../observability/shared-gauges.ts';
import { readLatestAudits } from './latest-audits.ts';

/** The result of the latest audit and when it ended. Without any audit, the time is 0. */
export function measureAudit(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, () =>
    readLatestAudits(db, 1).then(([latest]) => latest ?? { brokenRows: 0, finishedAt: new Date(0) }),
  );
  define('audit_broken_rows', 'Rows that violated an invariant in the latest audit', [], ({ brokenRows: rows }) => [
    [{}, rows],
  ]);
  define(
    'audit_finished_timestamp_seconds',
    'When the latest audit ended, in seconds since 1970; 0 when there was none',
    [],
    ({ finishedAt: at }) => [[{}, at.getTime() / 1_000]],
  );
}
