import type { DriverPush } from '@navette/contract';
import { Counter, type Registry } from 'prom-client';

export interface PushMetrics {
  attempted(push: DriverPush, outcome: string): void;
}

export function createPushMetrics(registry: Registry): PushMetrics {
  const attempts = new Counter({
    name: 'navette_push_attempts_total',
    help: 'Attempts to send a push message to a device, by push and outcome: accepted, gone, refused or postponed',
    labelNames: ['push', 'outcome'],
    registers: [registry],
  });
  return { attempted: (push, outcome) => attempts.inc({ push, outcome }) };
}
