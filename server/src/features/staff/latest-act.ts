import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { OperatorActor } from './operator-log.ts';

/** The latest entry of the log about a subject. */
export async function findLatestAct(tx: Tx, subjectType: string, subjectId: string) {
  return tx
    .selectFrom('operator_acts')
    .select(['at', 'actor', 'act', 'details'])
    .where('subject_id', '=', subjectId)
    .where('subject_type', '=', subjectType)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The entry that a command of a staff member's app has led to. Lock the subject first: a repeated command waits for it. */
export async function findActOfCommand(
  tx: Tx,
  actor: OperatorActor,
  { act, commandId, subjectId }: { act: string; commandId: string; subjectId: string },
) {
  if (actor.kind !== 'staff') return undefined;
  return tx
    .selectFrom('operator_acts')
    .select('details')
    .where('subject_id', '=', subjectId)
    .where('staff_id', '=', actor.id)
    .where('act', '=', act)
    .where(sql`details->>'command'`, '=', commandId)
    .executeTakeFirst();
}

/** The entries of a staff member's command since a time, in their order. */
export async function listActsOfCommand(
  db: Database,
  staffId: string,
  { act, commandId, since }: { act: string; commandId: string; since: Date },
) {
  return db
    .selectFrom('operator_acts')
    .select(['at', 'subject_id as subjectId', 'details'])
    .where('staff_id', '=', staffId)
    .where('at', '>=', since)
    .where('act', '=', act)
    .where(sql`details->>'command'`, '=', commandId)
    .orderBy('at')
    .orderBy('number')
    .execute();
}
