import type pg from 'pg';
import type { ReplayOutcome } from './idempotency-keys.ts';

/** A day of a recurring shipment. Its schedule and day are unique in `recurring_occurrences`. */
export interface ClaimedOccurrence {
  scheduleId: string;
  /** Local date, YYYY-MM-DD. */
  day: string;
  /** Of the schedule that it was prepared from. */
  version: number;
}

type Claims = Map<string, { version: number; shipmentId: string | null }>;

const nameOf = ({ scheduleId, day }: Pick<ClaimedOccurrence, 'scheduleId' | 'day'>) => `${scheduleId} ${day}`;

/**
 * Locks the schedules against changes by members until the transaction ends, and finds the shipments that occurrences
 * have already. Call it with the accounts locked: then no other transaction creates these occurrences.
 */
export async function lockOccurrences(
  client: pg.ClientBase,
  occurrences: (ClaimedOccurrence & { accountId: string })[],
): Promise<Claims> {
  if (occurrences.length === 0) return new Map();
  const { rows } = await client.query<{ scheduleId: string; day: string; version: number; shipmentId: string | null }>({
    name: 'lock-occurrences',
    text: `
      select w.schedule_id as "scheduleId", w.day::text as day, s.version, o.shipment_id as "shipmentId"
      from unnest($1::uuid[], $2::uuid[], $3::date[]) as w (account_id, schedule_id, day)
      join recurring_schedules s on (s.account_id, s.id) = (w.account_id, w.schedule_id)
      left join recurring_occurrences o on (o.account_id, o.schedule_id, o.day) = (s.account_id, s.id, w.day)
      for share of s`,
    values: [
      occurrences.map(({ accountId }) => accountId),
      occurrences.map(({ scheduleId }) => scheduleId),
      occurrences.map(({ day }) => day),
    ],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Why an occurrence must not be created now: it exists, or its schedule has changed. Null when it may be. */
export function judgeOccurrence(
  claims: Claims,
  wanted: ClaimedOccurrence,
): ReplayOutcome | { kind: 'outdated' } | null {
  const claim = claims.get(nameOf(wanted));
  if (claim?.shipmentId) return { kind: 'replay', shipmentId: claim.shipmentId };
  return claim?.version === wanted.version ? null : { kind: 'outdated' };
}

export function noteOccurrence(claims: Claims, occurrence: ClaimedOccurrence, shipmentId: string): void {
  claims.set(nameOf(occurrence), { version: occurrence.version, shipmentId });
}
