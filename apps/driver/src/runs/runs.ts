import type { DriverShipment } from '@navette/contract';
import { ApiError } from '@navette/ui/api-error';
import { call } from '../api/call.ts';
import { createStore } from '../state/store.ts';
import { announce, onAnnouncement } from '../storage/announcements.ts';
import { type Kept, type Notice, openDatabase, readKept, writeKept } from '../storage/database.ts';

const NO_RUNS: DriverShipment[] = [];
const NO_NOTICES: Notice[] = [];

/** The driver's runs as the server last described them. */
export const runsStore = createStore<DriverShipment[]>(NO_RUNS);
export const noticesStore = createStore<Notice[]>(NO_NOTICES);
/** The driver's own order of stops; null while the suggested order is shown. */
export const orderStore = createStore<string[] | null>(null);

export async function reloadRuns(): Promise<void> {
  const [runs, notices, order] = await Promise.all([readKept('runs'), readKept('notices'), readKept('order')]);
  runsStore.set(runs?.shipments ?? NO_RUNS);
  noticesStore.set(notices ?? NO_NOTICES);
  orderStore.set(order ?? null);
}
onAnnouncement((announcement) => {
  if (announcement === 'runs') void reloadRuns();
});

const ATTEMPTS = 3;

/** Reads the runs from the server. A response that is older than a command applied meanwhile is read again. */
export async function refreshRuns(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readKept('runs');
    const { shippings } = await call('listShipments');
    const missing = (before?.shipments ?? []).filter(({ id }) => !shippings.some((shipping) => shipping.id === id));
    const absences = await Promise.all(missing.map(explainAbsence));
    const notices = absences.flatMap(({ notice }) => notice ?? []);
    const delivered = absences.flatMap(({ delivered }) => delivered ?? []);
    if (await storeRuns([...shippings, ...delivered], before?.revision ?? 0, notices)) return;
  }
}

/** False when a command was applied since the list was asked for. */
async function storeRuns(shipments: DriverShipment[], revision: number, added: Notice[]): Promise<boolean> {
  const transaction = (await openDatabase()).transaction('kept', 'readwrite');
  const runs = (await transaction.store.get('runs')) as Kept['runs'] | undefined;
  const isCurrent = (runs?.revision ?? 0) === revision;
  if (isCurrent) {
    await transaction.store.put({ shipments, revision }, 'runs');
    const notices = ((await transaction.store.get('notices')) ?? []) as Notice[];
    const fresh = added.filter(({ id }) => !notices.some((notice) => notice.id === id));
    if (fresh.length > 0) await transaction.store.put([...notices, ...fresh], 'notices');
  }
  await transaction.done;
  if (isCurrent) announce('runs');
  return isCurrent;
}

interface Absence {
  /** For a run that was cancelled, taken away or returned. */
  notice?: Notice;
  /** Delivered runs stay for some hours: the driver may still add a photo. */
  delivered?: DriverShipment;
}

const DELIVERED_SHOWN_MS = 12 * 3_600_000;

/** Reads why a run has left the list. */
async function explainAbsence(known: DriverShipment): Promise<Absence> {
  const { id, referenceNumber, status } = known;
  if (status === 'delivered') return keepDelivered(known);
  if (status === 'cancelled') return {};
  const noticeOf = (kind: Notice['kind']) => ({
    notice: { id: `${kind} ${id}`, kind, shipmentId: id, referenceNumber },
  });
  try {
    const { shipping } = await call('readShipment', { params: { id } });
    if (shipping.status === 'cancelled') return noticeOf('cancelled');
    if (shipping.status === 'delivered') return keepDelivered(shipping);
    return shipping.incident?.resolution === 'returned' ? noticeOf('returned') : {};
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? noticeOf('gone') : {};
  }
}

function keepDelivered(shipment: DriverShipment): Absence {
  const age = Date.now() - Date.parse(shipment.deliveredAt ?? '');
  return age < DELIVERED_SHOWN_MS ? { delivered: shipment } : {};
}

export async function dismissNotice({ id }: Notice): Promise<void> {
  await writeKept(
    'notices',
    noticesStore.get().filter((notice) => notice.id !== id),
  );
  announce('runs');
}

export async function saveOrder(ids: string[] | null): Promise<void> {
  const database = await openDatabase();
  await (ids === null ? database.delete('kept', 'order') : database.put('kept', ids, 'order'));
  announce('runs');
}
