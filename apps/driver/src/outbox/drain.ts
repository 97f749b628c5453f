import type { ShipmentStatus } from '@navette/contract/statuses';
import type { OutboxEntry } from './entry.ts';
import { dependsOnStatus, judgeWithStatus, type Outcome } from './outcome.ts';
import { applyOutcome, dueEntries, type QueueChange } from './queue.ts';

export interface Applied {
  entry: OutboxEntry;
  body: Record<string, unknown>;
}

export interface DrainContext {
  /** Entries of the signed-in driver. */
  entries: () => Promise<OutboxEntry[]>;
  /** Stores the change, and the new state that the response of an applied command contains, in one transaction. */
  apply: (change: QueueChange, applied: Applied | null) => Promise<void>;
  send: (entry: OutboxEntry) => Promise<Outcome>;
  /** The shipment's current status; null when the server is not reached. */
  statusOf: (shipmentId: string) => Promise<ShipmentStatus | 'gone' | null>;
  now: () => number;
  random: () => number;
}

const AT_ONCE = 4; // the server runs four commands of a driver concurrently

/**
 * Sends everything that is due, until nothing is. Callers hold a lock over all tabs and the service worker. Returns
 * `signed-out` when the token was refused: entries wait until the driver has signed in again.
 */
export async function drain(context: DrainContext): Promise<'drained' | 'signed-out'> {
  for (;;) {
    const due = dueEntries(await context.entries(), context.now()).slice(0, AT_ONCE);
    if (due.length === 0) return 'drained';
    const outcomes = await Promise.all(due.map((entry) => attempt(context, entry)));
    if (outcomes.some(({ kind }) => kind === 'signed-out')) return 'signed-out';
  }
}

async function attempt(context: DrainContext, entry: OutboxEntry): Promise<Outcome> {
  const outcome = await judge(context, entry, await context.send(entry));
  const change = applyOutcome(await context.entries(), entry, outcome, {
    now: context.now(),
    random: context.random(),
  });
  await context.apply(change, outcome.kind === 'done' ? { entry, body: outcome.body } : null);
  return outcome;
}

async function judge(context: DrainContext, entry: OutboxEntry, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'refused' || entry.shipmentId === null || !dependsOnStatus(entry.name, outcome.refusal)) {
    return outcome;
  }
  const status = await context.statusOf(entry.shipmentId);
  return status === null ? { kind: 'retry', afterMs: null } : judgeWithStatus(entry.name, outcome.refusal, status);
}
