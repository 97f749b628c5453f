import type { RawBuilder } from 'kysely';
import type { AuditFinding } from '../src/audit/find-broken-rows.ts';
import type { Database } from '../src/database/database.ts';

class UndoIt extends Error {}

/** The findings of an audit after the damage, by invariant. The damage is rolled back afterwards. */
export async function findAfterDamage(
  db: Database,
  audit: (db: Database) => Promise<AuditFinding[]>,
  damage: RawBuilder<unknown>[],
): Promise<Record<string, string[]>> {
  let found: Record<string, string[]> = {};
  await db
    .transaction()
    .execute(async (tx) => {
      for (const statement of damage) {
        const { numAffectedRows } = await statement.execute(tx);
        if (!numAffectedRows) throw new Error('this damages nothing');
      }
      const broken = (await audit(tx)).filter((finding) => finding.broken > 0);
      found = Object.fromEntries(broken.map(({ invariant, examples }) => [invariant, examples]));
      throw new UndoIt();
    })
    .catch((error: unknown) => {
      if (!(error instanceof UndoIt)) throw error;
    });
  return found;
}
