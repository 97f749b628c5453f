import type { ShipmentStatus } from '@navette/contract';
import type { Day } from '../day.ts';
import type { Merchant } from '../merchant.ts';

export interface ShipmentRead {
  _id: string;
  referenceNumber: string;
  status: ShipmentStatus;
  price: number;
  createdAt: string;
  deliverer: { _id: string } | string | null;
  statusHistory: { status: ShipmentStatus; at: string }[];
}

const MOST_ON_A_PAGE = '100';

/** Reads all shipments through the merchants' API: each once, none that was not ordered, with correct totals. */
export async function readEveryShipment({ merchants, journal }: Day) {
  const documents = new Map<string, ShipmentRead>();
  const faults: string[] = [];
  for (const [i, merchant] of merchants.entries()) {
    const read = await readAllOf(merchant);
    for (const document of read) {
      if (documents.has(document._id)) faults.push(`${document.referenceNumber} is listed twice`);
      if (!journal.trackedShipments.has(document._id))
        faults.push(`${document.referenceNumber} exists and was never ordered`);
      documents.set(document._id, document);
    }
    const ordered = [...journal.trackedShipments.values()].filter(({ plan }) => plan.merchant === i);
    for (const { id, referenceNumber } of ordered) {
      if (!documents.has(id)) faults.push(`${referenceNumber} was ordered and ${merchant.name} cannot read it`);
    }
    faults.push(...(await compareTotals(merchant, read)));
  }
  return { documents, faults };
}

async function readAllOf(merchant: Merchant): Promise<ShipmentRead[]> {
  const all: ShipmentRead[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, string> = cursor ? { limit: MOST_ON_A_PAGE, cursor } : { limit: MOST_ON_A_PAGE };
    const { body } = await merchant.call('GET', '/shipping', { query });
    all.push(...body.shippings);
    cursor = body.pagination.nextCursor;
  }
  return all;
}

async function compareTotals(merchant: Merchant, read: ShipmentRead[]): Promise<string[]> {
  const { stats } = (await merchant.call('GET', '/shipping/stats')).body;
  const counted = Map.groupBy(read, ({ status }) => status);
  return Object.entries<number>(stats.byStatus)
    .filter(([status, total]) => total !== (counted.get(status as ShipmentStatus)?.length ?? 0))
    .map(([status, total]) => `the statistics of ${merchant.name} count ${total} as ${status}, its list does not`);
}
