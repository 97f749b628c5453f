import type { RawBuilder } from 'kysely';
import type { Database } from './database/database.ts';

export interface AuditFinding {
  /** What must always be true. */
  invariant: string;
  /** How many rows break it. */
  broken: number;
  /** Some of them. */
  examples: string[];
}

const MOST_EXAMPLES = 20;

/** Each query lists the rows that break its invariant, as one text a row. */
export async function findBrokenRows(
  db: Database,
  checks: Record<string, RawBuilder<{ broken: string }>>,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const [invariant, query] of Object.entries(checks)) {
    const { rows } = await query.execute(db);
    const examples = rows.slice(0, MOST_EXAMPLES).map(({ broken }) => broken);
    findings.push({ invariant, broken: rows.length, examples });
  }
  return findings;
}
