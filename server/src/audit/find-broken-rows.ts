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
    findings.push(
      toFinding(
        invariant,
        rows.map(({ broken }) => broken),
      ),
    );
  }
  return findings;
}

export const toFinding = (invariant: string, broken: string[]): AuditFinding => ({
  invariant,
  broken: broken.length,
  examples: broken.slice(0, MAX_EXAMPLES),
});
