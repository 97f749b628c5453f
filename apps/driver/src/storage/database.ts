import type { Driver, DriverAnswer, DriverShipment, Offer } from '@navette/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { ClockSkew } from '../clock/server-clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';

/** The entries of a month. */
export type Earnings = Omit<DriverAnswer<'readEarnings'>, 'success'>;

export interface SavedSession {
  token: string;
  driver: Driver;
  deliveryKeys: string[];
  operatorPhone: string | null;
  /** Whether earnings are shown at all. */
  paid: boolean;
  pushKey: string | null;
}

/** A change by somebody else that the driver must know about; shown as a card until it is dismissed. */
export interface Notice {
  id: string;
  kind: 'cancelled' | 'gone' | 'returned';
  shipmentId: string;
  referenceNumber: string;
}

/** Values by name. Everything here can be read again from the server, except the token. */
export interface Kept {
  session: SavedSession;
  /** Token of an ended session: a locked e-mail address still lets a known device sign in. */
  previousToken: string;
  /** `revision` grows with each command that was applied: an older response of listShipments is not stored. */
  runs: { shipments: DriverShipment[]; revision: number };
  offers: Offer[];
  notices: Notice[];
  /** Ids of stops in the driver's own order. */
  order: string[];
  skew: ClockSkew;
  history: DriverShipment[];
  earnings: Earnings;
}

interface DriverDatabase extends DBSchema {
  outbox: { key: number; value: OutboxEntry };
  kept: { key: string; value: unknown };
}

let opened: Promise<IDBPDatabase<DriverDatabase>> | undefined;

/** The phone's database. The service worker opens it too, to send the outbox. */
export function openDatabase(): Promise<IDBPDatabase<DriverDatabase>> {
  opened ??= openDB<DriverDatabase>('navette-driver', 1, {
    upgrade(database) {
      database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      database.createObjectStore('kept');
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    terminated: () => {
      opened = undefined;
    },
  });
  return opened;
}

export async function readKept<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
  return (await (await openDatabase()).get('kept', key)) as Kept[K] | undefined;
}

export async function writeKept<K extends keyof Kept>(key: K, value: Kept[K]): Promise<void> {
  await (await openDatabase()).put('kept', value, key);
}

export async function removeKept(...keys: (keyof Kept)[]): Promise<void> {
  const transaction = (await openDatabase()).transaction('kept', 'readwrite');
  await Promise.all([...keys.map((key) => transaction.store.delete(key)), transaction.done]);
}
