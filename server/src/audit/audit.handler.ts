import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createDatabase, createPool } from '../database/database.ts';
import { auditNight } from './audit-night.ts';
import { brokenOf } from './turns.ts';

/** The nightly audit. The number of broken rows is a metric; the log names the invariants, `navette audit` the rows. */
export async function auditNightly(config: Config, log: FastifyBaseLogger): Promise<void> {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: 1 }); // without a time limit
  try {
    const { audited, findings, failures } = await auditNight({ db: createDatabase(pool), settings: config });
    const { invariants: broken } = brokenOf(findings);
    if (broken.length > 0) log.error({ audited, broken }, 'audit found rows that violate invariants');
    else log.info({ audited }, 'audit found nothing');
    for (const { kind, subject, error } of failures) log.error({ kind, subject, err: error }, 'an audit failed');
    if (failures.length > 0) throw new Error(`${failures.length} audits failed`);
  } finally {
    await pool.end();
  }
}
