import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { LEASE_MS, type ReservedMessage } from './reserve-attempt.ts';

/** With the pauses below, about an hour and a quarter: later, the parcel has mostly come. */
export const MOST_ATTEMPTS = 24;
const LONGEST_PAUSE_MS = 300_000;

export interface AttemptEnd {
  outcome: SendOutcome;
  provider: string;
  /** It was sent again although it may have been accepted before. */
  doubtful: boolean;
}

/** What an attempt came to, with the job for the next one, if there is to be one, in the same commit. */
export async function recordAttempt(
  db: Database,
  jobs: JobSender,
  { accountId, id, attempts }: ReservedMessage,
  { outcome, provider, doubtful }: AttemptEnd,
  now: Date,
): Promise<void> {
  const last = attempts >= MOST_ATTEMPTS;
  const record = async (connection: Database | Tx) => {
    const { numUpdatedRows } = await connection
      .updateTable('messages')
      .set({ provider, ...changeFor(outcome, last, now), ...(doubtful ? { doubtful } : {}) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('status', '=', 'sending')
      .where('attempts', '=', attempts) // whoever has taken it over since speaks for it now
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };
  const again = (outcome.kind === 'postponed' || outcome.kind === 'unknown') && !last;
  if (!again) {
    await record(db);
    return;
  }
  await db.transaction().execute(async (tx) => {
    if (!(await record(tx))) return;
    const startAfter = new Date(now.getTime() + pauseAfter(attempts, outcome));
    await jobs.send(tx, sendMessageJob, { accountId, messageId: id }, { startAfter });
  });
}

/** An unknown end leaves the message in `sending`: the next attempt must find out first. */
function changeFor(outcome: SendOutcome, last: boolean, now: Date) {
  if (outcome.kind === 'accepted') {
    return { status: 'sent', provider_id: outcome.providerId, sent_at: now, failure: null };
  }
  if (outcome.kind === 'refused') return { status: 'failed', failure: outcome.reason };
  if (last) return { status: 'failed', failure: `given up after ${MOST_ATTEMPTS} attempts: ${outcome.reason}` };
  return { failure: outcome.reason, ...(outcome.kind === 'postponed' ? { status: 'pending' } : {}) };
}

/** 1, 2, 4… seconds up to five minutes, each up to a quarter longer so that a crowd does not come back at once. */
function pauseAfter(attempts: number, outcome: SendOutcome): number {
  const doubled = Math.min(1_000 * 2 ** (attempts - 1), LONGEST_PAUSE_MS) * (1 + Math.random() / 4);
  const asked = outcome.kind === 'postponed' ? Math.min(outcome.retryAfterMs ?? 0, LONGEST_PAUSE_MS) : LEASE_MS;
  return Math.max(doubled, asked);
}
