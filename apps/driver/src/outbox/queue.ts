import { type Command, isStep, laneOf, type OutboxEntry } from './entry.ts';
import type { Outcome } from './outcome.ts';

const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000; // a driver who looks at the phone after a tunnel waits no longer than that

/** Changes of the stored entries. */
export interface QueueChange {
  put: OutboxEntry[];
  remove: number[];
}

/** The first waiting entry of each lane: the only ones that may be sent. */
function heads(entries: readonly OutboxEntry[]): OutboxEntry[] {
  const first = new Map<string, OutboxEntry>();
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const lane = laneOf(entry);
    if (entry.state === 'waiting' && !first.has(lane)) first.set(lane, entry);
  }
  return [...first.values()];
}

export const dueEntries = (entries: readonly OutboxEntry[], now: number): OutboxEntry[] =>
  heads(entries).filter(({ nextAttemptAt }) => nextAttemptAt <= now);

/** When the next entry is due; null when nothing waits. */
export function nextAttemptOf(entries: readonly OutboxEntry[]): number | null {
  const times = heads(entries).map(({ nextAttemptAt }) => nextAttemptAt);
  return times.length === 0 ? null : Math.min(...times);
}

/** Entries that a new command makes pointless: an older choice of availability that was not sent yet. */
export const replacedBy = (entries: readonly OutboxEntry[], { name }: Pick<Command, 'name'>): number[] =>
  name === 'setAvailability'
    ? entries.filter((entry) => entry.name === name && entry.state === 'waiting' && entry.attempts === 0).map(seqOf)
    : [];

/** Applies the outcome of one attempt to the stored entries. `random` is between 0 and 1. */
export function applyOutcome(
  entries: readonly OutboxEntry[],
  entry: OutboxEntry,
  outcome: Outcome,
  { now, random }: { now: number; random: number },
): QueueChange {
  const attempts = entry.attempts + 1;
  switch (outcome.kind) {
    case 'done':
      return { put: [], remove: [entry.seq] };
    case 'refused': {
      const refused: OutboxEntry = { ...entry, attempts, state: 'refused', refusal: outcome.refusal };
      return { put: [refused, ...dependentsOf(entries, entry)], remove: [] };
    }
    case 'retry':
    case 'signed-out': {
      const wait = outcome.kind === 'retry' && outcome.afterMs !== null ? outcome.afterMs : backoff(attempts, random);
      return { put: [{ ...entry, attempts, nextAttemptAt: now + wait }], remove: [] };
    }
  }
}

/** Later steps of a shipment whose step was refused. Incidents and photos do not depend on steps and are still sent. */
function dependentsOf(entries: readonly OutboxEntry[], refused: OutboxEntry): OutboxEntry[] {
  if (!isStep(refused.name)) return [];
  return entries
    .filter(
      ({ seq, state, name, shipmentId }) =>
        seq > refused.seq && state === 'waiting' && isStep(name) && shipmentId === refused.shipmentId,
    )
    .map((entry) => ({ ...entry, state: 'dropped' as const }));
}

/** Doubles with each attempt, and spreads by a quarter, so that phones leaving one tunnel do not retry in step. */
export function backoff(attempts: number, random: number): number {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
  return Math.round(delay * (0.75 + random / 2));
}

/** The network is back: everything that waits may be sent at once. */
export const retryNow = (entries: readonly OutboxEntry[], now: number): OutboxEntry[] =>
  entries
    .filter(({ state, nextAttemptAt }) => state === 'waiting' && nextAttemptAt > now)
    .map((entry) => ({ ...entry, nextAttemptAt: now }));

const seqOf = ({ seq }: OutboxEntry) => seq;
