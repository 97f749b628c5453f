import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database, Tx } from '../database/database.ts';
import type { JobSender } from '../jobs/boss.ts';
import { recordCodeLock } from './count-attempts.ts';
import type { Failure, FailureLog, Identity } from './identity.ts';

const LISTED_PER_HOUR = 10; // per person, so that a flood of failures does not hide other entries

interface Services<S> {
  identity: Pick<Identity<S>, 'people' | 'record' | 'notify'>;
  db: Database;
  jobs: JobSender;
}

export function createFailureLog<S>(services: Services<S>, log: FastifyBaseLogger): FailureLog {
  const underWay = new Set<Promise<void>>();
  const record = (failure: Failure, now: Date) =>
    services.db.transaction().execute((tx) => writeFailure(tx, services, failure, now));
  return {
    record,
    recordLater(failure, now) {
      const written = record(failure, now)
        .catch((error: unknown) => log.error({ err: error }, 'a failed sign-in was not recorded'))
        .finally(() => underWay.delete(written));
      underWay.add(written);
    },
    async stop() {
      await Promise.all(underWay);
    },
  };
}

/** Lists every lock. Lists other failures up to a limit per person and hour, then one summary entry. */
async function writeFailure<S>(
  tx: Tx,
  { identity, jobs }: Services<S>,
  { person, by, act, lock }: Failure,
  now: Date,
): Promise<void> {
  const { personId } = person;
  const listed = lock ?? (await nextListed(tx, identity, personId, act, now));
  if (lock === 'codes-locked') {
    await recordCodeLock(tx, identity.people, personId, now);
    await identity.notify(tx, jobs, 'codes-locked', personId);
  }
  if (listed) await identity.record(tx, { act: listed, person, by }, now);
}

async function nextListed<S>(
  tx: Tx,
  { people: { people } }: Pick<Identity<S>, 'people'>,
  personId: string,
  act: Failure['act'],
  now: Date,
) {
  const { rows } = await sql<{ count: number }>`
    update ${sql.table(people)}
    set failures_logged = case when failures_logged_since > ${now}::timestamptz - interval '1 hour'
          then least(failures_logged + 1, ${LISTED_PER_HOUR + 2}) else 1 end,
        failures_logged_since = case when failures_logged_since > ${now}::timestamptz - interval '1 hour'
          then failures_logged_since else ${now} end
    where id = ${personId}
    returning failures_logged as count`.execute(tx);
  const count = rows[0]?.count ?? Number.POSITIVE_INFINITY;
  if (count <= LISTED_PER_HOUR) return act;
  return count === LISTED_PER_HOUR + 1 ? ('many-failures' as const) : null;
}
