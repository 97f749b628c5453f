import type { DriverShipment } from '@navette/contract';
import { type Kept, openDatabase, type SavedSession } from '../storage/database.ts';
import type { Applied } from './drain.ts';
import type { Command, OutboxEntry } from './entry.ts';
import { type QueueChange, replacedBy, retryNow } from './queue.ts';

export async function readOutbox(driverId: string): Promise<OutboxEntry[]> {
  const all = await (await openDatabase()).getAll('outbox');
  return all.filter((entry) => entry.driverId === driverId); // a phone may be passed on to another driver
}

/** Stores a command. From here on it survives closing the app; its id and time never change. */
export async function storeCommand(command: Command, driverId: string, doneAt: Date): Promise<OutboxEntry> {
  const transaction = (await openDatabase()).transaction('outbox', 'readwrite');
  const entries = (await transaction.store.getAll()).filter((entry) => entry.driverId === driverId);
  for (const seq of replacedBy(entries, command)) await transaction.store.delete(seq);
  const entry: Omit<OutboxEntry, 'seq'> = {
    ...command,
    driverId,
    commandId: crypto.randomUUID(),
    doneAt: doneAt.toISOString(),
    state: 'waiting',
    attempts: 0,
    nextAttemptAt: 0,
    refusal: null,
  };
  const seq = await transaction.store.add(entry as OutboxEntry); // the database adds seq
  await transaction.done;
  return { ...entry, seq };
}

/**
 * Removes or updates entries and, in the same transaction, stores the state that the response contains: no moment
 * exists in which a step is in neither.
 */
export async function applyChange({ put, remove }: QueueChange, applied: Applied | null): Promise<void> {
  const transaction = (await openDatabase()).transaction(['outbox', 'kept'], 'readwrite');
  const [outbox, kept] = [transaction.objectStore('outbox'), transaction.objectStore('kept')];
  await Promise.all([...put.map((entry) => outbox.put(entry)), ...remove.map((seq) => outbox.delete(seq))]);
  if (applied) {
    const runs = (await kept.get('runs')) as Kept['runs'] | undefined;
    await kept.put(runsAfter(runs ?? { shipments: [], revision: 0 }, applied), 'runs');
    const session = (await kept.get('session')) as SavedSession | undefined;
    const { driver } = applied.body as { driver?: SavedSession['driver'] };
    if (session && driver) await kept.put({ ...session, driver }, 'session');
  }
  await transaction.done;
}

function runsAfter({ shipments, revision }: Kept['runs'], { entry, body }: Applied): Kept['runs'] {
  const { shipping } = body as { shipping?: DriverShipment };
  const others = shipments.filter(({ id }) => id !== entry.shipmentId);
  if (entry.name === 'abandon') return { shipments: others, revision: revision + 1 };
  if (!shipping) return { shipments, revision: revision + 1 };
  const isKnown = others.length < shipments.length;
  const next = isKnown ? shipments.map((one) => (one.id === shipping.id ? shipping : one)) : [...shipments, shipping];
  return { shipments: next, revision: revision + 1 };
}

/** The network is back: no entry waits for its next attempt. In one transaction: another tab may be sending. */
export async function makeDue(driverId: string, now: number): Promise<void> {
  const transaction = (await openDatabase()).transaction('outbox', 'readwrite');
  const entries = (await transaction.store.getAll()).filter((entry) => entry.driverId === driverId);
  await Promise.all([...retryNow(entries, now).map((entry) => transaction.store.put(entry)), transaction.done]);
}

/** Dismisses a card: the refused command, and the steps that were dropped because of it. */
export async function removeCard({ seq, shipmentId, driverId }: OutboxEntry): Promise<void> {
  const dropped = (await readOutbox(driverId)).filter(
    (entry) => entry.state === 'dropped' && entry.shipmentId === shipmentId && entry.seq > seq,
  );
  await applyChange({ put: [], remove: [seq, ...dropped.map((entry) => entry.seq)] }, null);
}
