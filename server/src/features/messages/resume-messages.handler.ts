import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type MessagePayload, sendMessageJob } from '../../jobs/definitions.ts';
import { isWithoutJob } from './audit-messages.ts';

const BATCH = 1_000;

/**
 * Gives a job to messages that have none: a worker was sending them without one when it died, or a worker of the release
 * before dropped the job of a kind that it does not know. By then the reservation of a dead worker has ended.
 */
export async function resumeMessages(db: Database, jobs: JobSender, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<MessagePayload>`
      select m.account_id as "accountId", m.id as "messageId" from messages m
      where m.created_at < ${now}::timestamptz - interval '1 minute' and ${isWithoutJob} and ${servedHere('m.account_id')}
      order by m.created_at limit ${BATCH} for no key update of m skip locked`.execute(tx);
    await jobs.sendAll(
      tx,
      sendMessageJob,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}
