import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { type AuthorizeOperator, recordOperatorAct } from '../staff/index.ts';
import { SMS_REFUSALS } from './phone-number.ts';

/** With the same number the next attempt is refused for the same reason. The budget of the day is another matter. */
const NEVER_SENDABLE = SMS_REFUSALS.filter((refusal) => refusal !== 'DAILY_BUDGET_SPENT') as string[];

/**
 * Sends a failed message of any account again, with all attempts of a new one. An SMS counts in the account's budget
 * again. If its parcel has arrived by now, the job drops it.
 */
export async function retryAnyMessage(
  { db, jobs }: { db: Database; jobs: JobSender },
  authorize: AuthorizeOperator,
  messageId: string,
  now: Date,
): Promise<'enqueued' | 'unknown' | 'not-sendable'> {
  if (!isUuid(messageId)) return 'unknown';
  return db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const message = await tx
      .selectFrom('messages as m')
      .innerJoin('shipments as s', (join) =>
        join.onRef('s.account_id', '=', 'm.account_id').onRef('s.id', '=', 'm.shipment_id'),
      )
      .select(['m.account_id as accountId', 'm.kind', 'm.failure', 's.id as shipmentId', 's.reference_number as title'])
      .where('m.id', '=', messageId)
      .where('m.status', '=', sql.lit('failed')) // uses the index messages_failed
      .where('m.erased_at', 'is', null)
      .forUpdate('m')
      .executeTakeFirst();
    if (!message) return 'unknown';
    const { accountId, kind, failure, shipmentId, title } = message;
    if (failure && NEVER_SENDABLE.includes(failure)) return 'not-sendable';
    await tx
      .updateTable('messages')
      .set({ status: 'pending', attempts: 0, failure: null })
      .where('account_id', '=', accountId)
      .where('id', '=', messageId)
      .execute();
    await jobs.send(tx, sendMessageJob, { accountId, messageId });
    const subject = { type: 'message', id: messageId, title };
    await recordOperatorAct(tx, actor, { act: 'message.retried', subject, details: { kind, shipmentId } }, now);
    return 'enqueued';
  });
}
