import { sql } from 'kysely';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import { coalesce } from '../../concurrency/coalesce.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { isInStatus, LEASE_MS, type ReservedMessage } from './reserve-attempt.ts';

/** About 75 minutes with the backoff below. Most parcels have arrived by then. */
export const MAX_ATTEMPTS = 24;
const MAX_BACKOFF_MS = 300_000;

export interface AttemptEnd {
  outcome: SendOutcome;
  provider: string;
  /** Sent again although the provider may have accepted an earlier attempt. */
  doubtful: boolean;
}

export type RecordAttempt = (message: ReservedMessage, end: AttemptEnd) => Promise<void>;

const MAX_BATCH = 100; // outcomes per statement

/** Records the outcomes of attempts. Those that end a message share a statement when they come together. */
export function createAttemptRecorder(db: Database, jobs: JobSender, now: () => Date): RecordAttempt {
  const recordEnd = coalesce({ maxBatch: MAX_BATCH, maxRunning: 2 }, (ended: Recorded[]) => recordEach(db, ended));
  return async (message, end) => {
    const at = now();
    const recorded = toRecorded(message, end, at);
    const { attempts } = message;
    const { outcome } = end;
    if (outcome.kind === 'accepted' || outcome.kind === 'refused' || attempts >= MAX_ATTEMPTS) {
      const failure = await recordEnd(recorded);
      if (failure) throw failure;
      return;
    }
    await db.transaction().execute(async (tx) => {
      if ((await writeOutcomes(tx, [recorded])) === 0) return;
      const startAfter = new Date(at.getTime() + backoffAfter(attempts, outcome));
      await jobs.send(tx, sendMessageJob, { accountId: message.accountId, messageId: message.id }, { startAfter });
    });
  };
}

/** The changes of an attempt to the row of its message. */
interface Recorded {
  account_id: string;
  id: string;
  attempts: number;
  provider: string;
  status: 'sent' | 'failed' | 'pending' | 'sending';
  provider_id: string | null;
  sent_at: Date | null;
  failure: string | null;
  doubtful: boolean;
}

/** If the statement fails, each outcome is written by itself: a fault of one must not make the others be sent again. */
async function recordEach(db: Database, ended: Recorded[]): Promise<(Error | null)[]> {
  try {
    await writeOutcomes(db, ended);
    return ended.map(() => null);
  } catch {
    return Promise.all(
      ended.map((one) =>
        writeOutcomes(db, [one]).then(
          () => null,
          (error: Error) => error,
        ),
      ),
    );
  }
}

/** Returns how many messages were still reserved for these attempts: another worker may have taken one over. */
async function writeOutcomes(connection: Database | Tx, outcomes: Recorded[]): Promise<number> {
  const sorted = outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1)); // one lock order prevents deadlocks
  const { numAffectedRows } = await sql`
    update messages m set provider = o.provider, status = o.status, failure = o.failure,
      provider_id = coalesce(o.provider_id, m.provider_id), sent_at = coalesce(o.sent_at, m.sent_at),
      doubtful = m.doubtful or o.doubtful
    from json_to_recordset(${JSON.stringify(sorted)}) as o (account_id uuid, id uuid, attempts int, provider text,
      status text, provider_id text, sent_at timestamptz, failure text, doubtful boolean)
    where (m.account_id, m.id) = (o.account_id, o.id) and ${isInStatus('sending')} and m.attempts = o.attempts`.execute(
    connection,
  );
  return Number(numAffectedRows);
}

/** An unknown outcome leaves the message in `sending`: the next attempt looks it up at the provider first. */
function toRecorded(message: ReservedMessage, { outcome, provider, doubtful }: AttemptEnd, at: Date): Recorded {
  const { accountId: account_id, id, attempts } = message;
  const recorded = { account_id, id, attempts, provider, doubtful, provider_id: null, sent_at: null };
  if (outcome.kind === 'accepted') {
    return { ...recorded, status: 'sent', provider_id: outcome.providerId, sent_at: at, failure: null };
  }
  const { reason } = outcome;
  if (outcome.kind === 'refused') return { ...recorded, status: 'failed', failure: reason };
  if (attempts >= MAX_ATTEMPTS) {
    return { ...recorded, status: 'failed', failure: `given up after ${MAX_ATTEMPTS} attempts: ${reason}` };
  }
  return { ...recorded, status: outcome.kind === 'postponed' ? 'pending' : 'sending', failure: reason };
}

/** Exponential backoff: 1, 2, 4… seconds up to five minutes, with up to 25 % jitter. */
function backoffAfter(attempts: number, outcome: SendOutcome): number {
  const doubled = Math.min(1_000 * 2 ** (attempts - 1), MAX_BACKOFF_MS) * (1 + Math.random() / 4);
  const requested = outcome.kind === 'postponed' ? Math.min(outcome.retryAfterMs ?? 0, MAX_BACKOFF_MS) : LEASE_MS;
  return Math.max(doubled, requested);
}
