import type { RawBuilder } from 'kysely';
import type { Database } from '../database/database.ts';

export interface AuditFinding {
  /** The rule that every row must follow. */
  invariant: string;
  /** How many rows violate it. */
  broken: number;
  /** The first few of them. */
  examples: string[];
}

const MAX_EXAMPLES = 20;

/** Each query returns the rows that violate its invariant, one text per row. */
export async function findBrokenRows(
  db: Database,
  checks: Record<string, RawBuilder<{ broken: string }>>,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const [invariant, query] of Object.entries(checks)) {
    const { rows } = await query.execute(db);
    const examples = rows.slice(0, MAX_EXAMPLES).map(({ broken }) => broken);
    findings.push({ invariant, broken: rows.length, examples });
  }
  return findings;
}
