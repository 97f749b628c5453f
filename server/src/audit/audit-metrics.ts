import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { createSharedGauges } from '../observability/shared-gauges.ts';
import { readLatestAudits, readOldestTurn } from './latest-audits.ts';

/** The rows that are known to be broken, and the times of audits. Without any audit, the time is 0. */
export function measureAudit(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, async () => {
    const [latest] = await readLatestAudits(db, 1);
    return { ...(latest ?? { brokenRows: 0, finishedAt: new Date(0) }), oldestTurn: await readOldestTurn(db) };
  });
  define('audit_broken_rows', 'Rows that are known to violate an invariant', [], ({ brokenRows: rows }) => [
    [{}, rows],
  ]);
  define(
    'audit_finished_timestamp_seconds',
    'When the latest audit ended, in seconds since 1970; 0 when there was none',
    [],
    ({ finishedAt: at }) => [[{}, at.getTime() / 1_000]],
  );
  define(
    'audit_oldest_timestamp_seconds',
    'When the account, driver or other subject was audited whose audit is longest ago, in seconds since 1970',
    [],
    ({ oldestTurn: at }) => (at ? [[{}, at.getTime() / 1_000]] : []),
  );
}
