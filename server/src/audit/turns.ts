import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { SUBJECTS, type SubjectKind } from './subjects.ts';

/** Violated when an audit fails. */
export const AUDITS_END = 'every audit ends';

export interface Turn {
  kind: SubjectKind;
  subject: string;
  /** About how many rows it has. */
  size: number;
  isBroken: boolean;
  /** Its latest audit did not end. */
  wasInterrupted: boolean;
}

/** Every subject, those whose turn is longest ago first; of new ones, accounts last, since they are many. Adds new ones, and removes the outcomes of those that are gone. */
export async function listTurns(db: Database): Promise<Turn[]> {
  await sql`
    delete from audit_turns t
    where not exists (select from (${SUBJECTS}) s where (s.kind, s.subject) = (t.kind, t.subject))`.execute(db);
  await sql`
    insert into audit_turns (kind, subject)
    select s.kind, s.subject from (${SUBJECTS}) s
    where not exists (select from audit_turns t where (t.kind, t.subject) = (s.kind, s.subject))
    on conflict do nothing`.execute(db);
  const { rows } = await sql<Turn>`
    select s.*, t.broken_rows > 0 as "isBroken",
           coalesce(t.attempted_at > coalesce(t.audited_at, '-infinity'), false) as "wasInterrupted"
    from (${SUBJECTS}) s join audit_turns t using (kind, subject)
    order by t.attempted_at nulls first, kind = 'account', kind, subject`.execute(db);
  return rows;
}

/** Written before the audit: subjects whose audit ends the process do not come first again. */
export async function beginTurns(db: Database, kind: SubjectKind, subjects: string[]): Promise<void> {
  await db
    .updateTable('audit_turns')
    .set({ attempted_at: sql`clock_timestamp()` })
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .execute();
}

/** The outcome is of the rows as they were when the turns began. */
export async function endTurns(
  db: Database,
  kind: SubjectKind,
  subjects: string[],
  findings: AuditFinding[],
): Promise<void> {
  const broken = brokenOf(findings);
  await db
    .updateTable('audit_turns')
    .set({ audited_at: sql`attempted_at`, broken_rows: broken.rows, broken_invariants: broken.invariants })
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .execute();
}

/** For subjects whose audit did not begin after all: they keep their place. */
export async function undoTurns(db: Database, kind: SubjectKind, subjects: string[]): Promise<void> {
  await db
    .updateTable('audit_turns')
    .set({ attempted_at: sql`audited_at` })
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .execute();
}

/** An audit that fails is itself a finding, beside those of the audit before, until one ends. Its next turn comes last. */
export async function failTurn(db: Database, kind: SubjectKind, subject: string): Promise<void> {
  await db
    .updateTable('audit_turns')
    .set({
      attempted_at: sql`clock_timestamp()`,
      broken_rows: sql`greatest(broken_rows, 1)`,
      broken_invariants: sql`array_remove(broken_invariants, ${AUDITS_END}) || ${AUDITS_END}::text`,
    })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute();
}

export interface Broken {
  rows: number;
  invariants: string[];
}

/** The broken rows of some findings, and their invariants, each once. */
export function brokenOf(findings: AuditFinding[]): Broken {
  const broken = findings.filter((finding) => finding.broken > 0);
  return {
    rows: broken.reduce((sum, finding) => sum + finding.broken, 0),
    invariants: [...new Set(broken.map(({ invariant }) => invariant))],
  };
}
