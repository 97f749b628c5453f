import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface DeliveryMetrics {
  /** A delivery is settled. */
  settled(becomes: 'delivered' | 'dropped' | 'cancelled'): void;
  attempted(outcome: 'success' | 'refused' | 'timeout' | 'failed', seconds: number): void;
  /** The first attempt of a delivery starts. */
  firstAttempted(secondsAfterEvent: number): void;
}

interface Watched {
  /** Senders active in this process. */
  senders: () => number;
  /** Deliveries that they have open: being sent, or waiting for their next attempt. */
  open: () => number;
  /** Requests that wait for a slot. */
  waiting: () => number;
  /** When the oldest pending delivery, of all workers, was added. */
  oldestPending: () => Promise<Date | null>;
}

export function createDeliveryMetrics(registers: Registry[]): DeliveryMetrics {
  const deliveries = new Counter({
    name: 'navette_webhook_deliveries_total',
    help: 'Deliveries settled by this worker: delivered, dropped after three failures, or cancelled with their webhook',
    labelNames: ['outcome'],
    registers,
  });
  const attempts = new Histogram({
    name: 'navette_webhook_attempt_seconds',
    help: 'Time until an endpoint responded or the attempt was given up, by outcome',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 4, 5],
    registers,
  });
  const delays = new Histogram({
    name: 'navette_webhook_first_attempt_delay_seconds',
    help: 'From an event to the start of the first attempt to deliver it',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  return {
    firstAttempted: (seconds) => delays.observe(seconds),
    settled: (outcome) => deliveries.inc({ outcome }),
    attempted: (outcome, seconds) => attempts.observe({ outcome }, seconds),
  };
}

export function watchDeliveries(registers: Registry[], { senders, open, waiting, oldestPending }: Watched): void {
  new Gauge({
    name: 'navette_webhook_rounds',
    help: 'Webhooks that this worker is sending to now',
    registers,
    collect() {
      this.set(senders());
    },
  });
  new Gauge({
    name: 'navette_webhook_deliveries_in_flight',
    help: 'Open deliveries of this worker: being sent, or waiting for their next attempt',
    registers,
    collect() {
      this.set(open());
    },
  });
  new Gauge({
    name: 'navette_webhook_requests_waiting',
    help: 'Senders and attempts that wait because the budget of their account or host is used up',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  new Gauge({
    name: 'navette_webhook_oldest_pending_seconds',
    help: 'Age of the oldest delivery that is not settled, of all webhooks; 0 when there is none',
    registers,
    async collect() {
      const oldest = await oldestPending().catch(() => undefined);
      if (oldest === undefined) return; // the database is unreachable: an old figure is better than a false zero
      this.set(oldest === null ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000);
    },
  });
}
