import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface DeliveryMetrics {
  /** A delivery is settled. */
  settled(becomes: 'delivered' | 'dropped' | 'cancelled'): void;
  attempted(outcome: 'success' | 'refused' | 'timeout' | 'failed', seconds: number): void;
}

interface Watched {
  /** Rounds under way in this process. */
  rounds: () => number;
  /** Requests under way in this process. */
  inFlight: () => number;
  /** When the oldest delivery that is still pending, anywhere, was added. */
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
    help: 'Time until an endpoint answered or was given up, by outcome',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 4, 5],
    registers,
  });
  return {
    settled: (outcome) => deliveries.inc({ outcome }),
    attempted: (outcome, seconds) => attempts.observe({ outcome }, seconds),
  };
}

export function watchDeliveries(registers: Registry[], { rounds, inFlight, oldestPending }: Watched): void {
  new Gauge({
    name: 'navette_webhook_rounds',
    help: 'Webhooks that this worker is sending to now',
    registers,
    collect() {
      this.set(rounds());
    },
  });
  new Gauge({
    name: 'navette_webhook_deliveries_in_flight',
    help: 'Deliveries that this worker has in hand: being sent, or waiting for their next attempt',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    name: 'navette_webhook_oldest_pending_seconds',
    help: 'Age of the oldest delivery that is not settled, of all webhooks; 0 when there is none',
    registers,
    async collect() {
      const oldest = await oldestPending().catch(() => undefined);
      if (oldest === undefined) return; // the database is away: an old figure beats a false zero
      this.set(oldest === null ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000);
    },
  });
}
