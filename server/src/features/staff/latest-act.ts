import type { Tx } from '../../database/database.ts';

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
