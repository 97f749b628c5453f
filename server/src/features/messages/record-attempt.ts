import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { LEASE_MS, type ReservedMessage } from './reserve-attempt.ts';

/** About 75 minutes with the backoff below. Most parcels have arrived by then. */
export const MAX_ATTEMPTS = 24;
const MAX_BACKOFF_MS = 300_000;

export interface AttemptEnd {
  outcome: SendOutcome;
  provider: string;
  /** Sent again although the provider may have accepted an earlier attempt. */
  doubtful: boolean;
}

/** Records the outcome of an attempt and enqueues the next one, if there is to be one, in the same transaction. */
export async function recordAttempt(
  db: Database,
  jobs: JobSender,
  { accountId, id, attempts }: ReservedMessage,
  { outcome, provider, doubtful }: AttemptEnd,
  now: Date,
): Promise<void> {
  const last = attempts >= MAX_ATTEMPTS;
  const record = async (connection: Database | Tx) => {
    const { numUpdatedRows } = await connection
      .updateTable('messages')
      .set({ provider, ...changeFor(outcome, last, now), ...(doubtful ? { doubtful } : {}) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('status', '=', 'sending')
      .where('attempts', '=', attempts) // unless another worker has taken it over
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
    const startAfter = new Date(now.getTime() + backoffAfter(attempts, outcome));
    await jobs.send(tx, sendMessageJob, { accountId, messageId: id }, { startAfter });
  });
}

/** An unknown outcome leaves the message in `sending`: the next attempt looks it up at the provider first. */
function changeFor(outcome: SendOutcome, last: boolean, now: Date) {
  if (outcome.kind === 'accepted') {
    return { status: 'sent', provider_id: outcome.providerId, sent_at: now, failure: null };
  }
  if (outcome.kind === 'refused') return { status: 'failed', failure: outcome.reason };
  if (last) return { status: 'failed', failure: `given up after ${MAX_ATTEMPTS} attempts: ${outcome.reason}` };
  return { failure: outcome.reason, ...(outcome.kind === 'postponed' ? { status: 'pending' } : {}) };
}

/** Exponential backoff: 1, 2, 4… seconds up to five minutes, with up to 25 % jitter. */
function backoffAfter(attempts: number, outcome: SendOutcome): number {
  const doubled = Math.min(1_000 * 2 ** (attempts - 1), MAX_BACKOFF_MS) * (1 + Math.random() / 4);
  const requested = outcome.kind === 'postponed' ? Math.min(outcome.retryAfterMs ?? 0, MAX_BACKOFF_MS) : LEASE_MS;
  return Math.max(doubled, requested);
}
