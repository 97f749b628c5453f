import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { AuditSettings } from '../src/audit/audit-everything.ts';
import type { AuditFinding } from '../src/audit/find-broken-rows.ts';
import { AUDIT_SOME, SUBJECTS } from '../src/audit/subjects.ts';
import type { Database } from '../src/database/database.ts';
import { auditOtherPersonalData } from '../src/features/personal-data/index.ts';

class UndoIt extends Error {}

interface Audited {
  db: Database;
  config: AuditSettings;
}

/**
 * The findings of an audit after the damage, by invariant. The damage is rolled back afterwards. One subject audited after
 * the other, as the nightly job does, must give exactly the same.
 */
export async function findAfterDamage(
  { db, config }: Audited,
  audit: (db: Database) => Promise<AuditFinding[]>,
  damage: RawBuilder<unknown>[],
  now = new Date(),
): Promise<Record<string, string[]>> {
  let found: Record<string, string[]> = {};
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx); // disables triggers
      for (const statement of damage) {
        const { numAffectedRows } = await statement.execute(tx);
        if (!numAffectedRows) throw new Error('this damages nothing');
      }
      const findings = await audit(tx);
      found = Object.fromEntries(
        findings.filter(({ broken }) => broken > 0).map(({ invariant, examples }) => [invariant, examples]),
      );
      expect(rowsOf(await auditInTurn({ db: tx, config }, now), findings)).toEqual(rowsOf(findings, findings));
      throw new UndoIt();
    })
    .catch((error: unknown) => {
      if (!(error instanceof UndoIt)) throw error;
    });
  return found;
}

async function auditInTurn({ db, config }: Audited, now: Date): Promise<AuditFinding[]> {
  const { rows: subjects } = await SUBJECTS.execute(db);
  const findings = await auditOtherPersonalData(db, config, now);
  for (const { kind, subject } of subjects) findings.push(...(await AUDIT_SOME[kind](db, [subject], config, now)));
  return findings;
}

/** Broken rows and examples of the invariants in `among`. */
function rowsOf(
  findings: AuditFinding[],
  among: AuditFinding[],
): Record<string, { broken: number; examples: string[] }> {
  const rows: ReturnType<typeof rowsOf> = {};
  for (const { invariant, broken, examples } of findings) {
    if (broken === 0 || !among.some((finding) => finding.invariant === invariant)) continue;
    const others = rows[invariant] ?? { broken: 0, examples: [] };
    rows[invariant] = { broken: others.broken + broken, examples: [...others.examples, ...examples].sort() };
  }
  return rows;
}
