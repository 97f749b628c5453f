import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { type Broken, brokenOf } from './turns.ts';

const KEPT_DAYS = 400;

/** It replaces the outcomes of all turns that began before it. */
export const recordFullAudit = (db: Database, findings: AuditFinding[], seconds: number): Promise<void> =>
  insertRun(db, { seconds, isFull: true, ...brokenOf(findings) });

/**
 * After a night, what is known to be broken: the outcome of every subject, also of those that had no turn, what a full audit
 * found that not all subjects have been audited since, and tonight's findings about the installation.
 */
export async function recordNight(db: Database, ofInstallation: AuditFinding[], seconds: number): Promise<void> {
  const tonight = brokenOf(ofInstallation);
  const ofTurns = await readOutcomes(db);
  const ofFull = await readUnconfirmed(db, new Set(ofInstallation.map(({ invariant }) => invariant)));
  await insertRun(db, {
    seconds,
    isFull: false,
    rows: tonight.rows + Math.max(ofTurns.rows, ofFull.rows), // a row may be known by both
    invariants: [...new Set([...tonight.invariants, ...ofTurns.invariants, ...ofFull.invariants])],
  });
}

async function insertRun(db: Database, run: Broken & { seconds: number; isFull: boolean }): Promise<void> {
  await db
    .deleteFrom('audit_runs')
    .where('finished_at', '<', sql<Date>`now() - ${KEPT_DAYS} * interval '1 day'`)
    .execute();
  await db
    .insertInto('audit_runs')
    .values({
      finished_at: sql`clock_timestamp()`,
      seconds: run.seconds,
      broken_rows: run.rows,
      broken_invariants: run.invariants,
      is_full: run.isFull,
    })
    .execute();
}

/** The start of the latest full audit. The release before records no other. */
const LATEST_FULL = sql<Date>`(select coalesce(max(finished_at - seconds * interval '1 second'), '-infinity') from audit_runs
  where is_full)`;

async function readOutcomes(db: Database): Promise<Broken> {
  const outcomes = await db
    .selectFrom('audit_turns')
    .select(['broken_rows as broken', 'broken_invariants as invariants'])
    .where('broken_rows', '>', 0)
    .where('attempted_at', '>=', LATEST_FULL)
    .execute();
  return {
    rows: outcomes.reduce((sum, { broken }) => sum + broken, 0),
    invariants: outcomes.flatMap(({ invariants }) => invariants),
  };
}

/** A full audit does not say whose rows are broken. They count until every subject has been audited since. */
async function readUnconfirmed(db: Database, checkedTonight: ReadonlySet<string>): Promise<Broken> {
  const { rows } = await sql<Broken>`
    select broken_rows as rows, broken_invariants as invariants
    from (select * from audit_runs where is_full order by finished_at desc limit 1) full_run
    where exists (select from audit_turns
                  where coalesce(audited_at, '-infinity') < finished_at - seconds * interval '1 second')`.execute(db);
  const invariants = rows[0]?.invariants.filter((invariant) => !checkedTonight.has(invariant)) ?? [];
  return { rows: invariants.length > 0 ? (rows[0]?.rows ?? 0) : 0, invariants };
}
