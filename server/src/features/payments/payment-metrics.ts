import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import { createSharedGauges } from '../../observability/shared-gauges.ts';

export const countStripeEvents = (registry: Registry): Counter<'outcome'> =>
  new Counter({
    name: 'navette_stripe_events_total',
    help: 'Requests to the endpoint of Stripe’s events, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });

/** Requests to Stripe by what came back; null: no answer. Both roles of one process count together. */
export function countStripeRequests(registry: Registry): (status: number | null) => void {
  const name = 'navette_stripe_requests_total';
  const known = registry.getSingleMetric(name) as Counter<'outcome'> | undefined;
  const requests =
    known ??
    new Counter({ name, help: 'Requests to Stripe, by outcome', labelNames: ['outcome'], registers: [registry] });
  const outcomes = ['answered', 'refused', 'failed', 'unreachable'] as const;
  for (const outcome of outcomes) requests.inc({ outcome }, 0); // a rate needs a first sample
  const outcomeOf = (status: number | null): (typeof outcomes)[number] => {
    if (status === null) return 'unreachable';
    if (status >= 500) return 'failed';
    return status >= 400 ? 'refused' : 'answered';
  };
  return (status) => requests.inc({ outcome: outcomeOf(status) });
}

/** Payments that a person must look at, and how far the job that asks Stripe is behind. */
export function measurePayments(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, async () => {
    const { rows } = await sql<Figures>`
      select (select count(*) from payments where status = 'review') as review,
             (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from payments
              where check_at is not null and status = 'open') as "overdueSeconds",
             (select greatest(0, extract(epoch from now() - least(min(check_at), min(reversals_check_at))))::float8
              from payments) as "lateSeconds",
             (select count(*) from payments where method = 'automatic' and status = 'failed'
                and created_at > now() - interval '1 day') as "automaticFailures"`.execute(db);
    return rows[0] ?? { review: 0, overdueSeconds: 0, lateSeconds: 0, automaticFailures: 0 };
  });
  define('payments_in_review', 'Payments whose received amount is not the one asked for', [], ({ review }) => [
    [{}, review],
  ]);
  define(
    'oldest_open_payment_seconds',
    'Age of the oldest payment online that is neither paid nor expired; pages expire after an hour',
    [],
    ({ overdueSeconds }) => [[{}, overdueSeconds]],
  );
  define(
    'payment_checks_late_seconds',
    'How long the oldest question to Stripe is due, about a payment or its refunds',
    [],
    ({ lateSeconds }) => [[{}, lateSeconds ?? 0]],
  );
  define(
    'automatic_payments_failed',
    'Automatic payments of the last day that were not paid',
    [],
    ({ automaticFailures }) => [[{}, automaticFailures]],
  );
}

interface Figures {
  review: number;
  overdueSeconds: number;
  /** Null when nothing is to be asked. */
  lateSeconds: number | null;
  automaticFailures: number;
}
