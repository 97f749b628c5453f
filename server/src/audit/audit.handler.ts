import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createDatabase, createPool } from '../database/database.ts';
import { runAudit } from './run-audit.ts';

/** The nightly audit. Its result is a metric; the log names the broken invariants, `navette audit` the rows. */
export async function auditNightly(config: Config, log: FastifyBaseLogger): Promise<void> {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: 1 }); // without a time limit
  try {
    const findings = await runAudit(createDatabase(pool), config);
    const broken = findings.filter((finding) => finding.broken > 0).map(({ invariant }) => invariant);
    if (broken.length > 0) log.error({ broken }, 'audit found rows that violate invariants');
    else log.info({ invariants: findings.length }, 'audit found nothing');
  } finally {
    await pool.end();
  }
}
