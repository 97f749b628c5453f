import { type Shipment, Shipment as ShipmentSchema } from '@navette/contract';
import type pg from 'pg';
import { coalesce } from '../../concurrency/coalesce.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsUnknown } from '../../refusals/refusal.ts';
import type { Archive } from '../archive/index.ts';
import { DOCUMENT_JSON } from './document-json.ts';
import { isReferenceNumber } from './reference-number.ts';

interface Lookup {
  accountId: string;
  /** An id or a reference number, depending on the statement. */
  value: string;
}

/** Reads documents of one account as JSON text. Malformed, unknown and other accounts' ids all give the same 404. */
export interface ShipmentReader {
  documentById(accountId: string, id: string): Promise<string>;
  documentByReference(accountId: string, referenceNumber: string): Promise<string>;
}

/**
 * One statement serves all requests that arrive together, each with its own account in the WHERE. This triples the
 * throughput of a busy process.
 */
export function createShipmentReader(pool: pg.Pool, archive: Archive): ShipmentReader {
  const createLookup = (name: string, column: string, type: string) =>
    coalesce<Lookup, string | null>({ maxBatch: 64, maxRunning: 1 }, async (lookups) => {
      const { rows } = await pool.query<{ position: number; document: string }>({
        name,
        text: `
          select w.position::int as position, ${DOCUMENT_JSON} as document
          from unnest($1::uuid[], $2::${type}[]) with ordinality as w (account_id, value, position)
          join shipments s on s.account_id = w.account_id and s.${column} = w.value`,
        values: [lookups.map(({ accountId }) => accountId), lookups.map(({ value }) => value)],
      });
      const found: (string | null)[] = lookups.map(() => null);
      for (const { position, document } of rows) found[position - 1] = document;
      return found;
    });
  const byId = createLookup('shipments-by-id', 'id', 'uuid');
  const byReference = createLookup('shipments-by-reference', 'reference_number', 'text');

  // After the table, so that a shipment that is being archived is found in one of the two.
  const readArchived = async (accountId: string, by: 'id' | 'reference_number', value: string) => {
    const number = await archive.find(accountId, by, value);
    if (number === null) return null;
    const [row] = await archive.readDocuments(accountId, [number]);
    return row?.document ?? null;
  };

  return {
    async documentById(accountId, id) {
      if (!isUuid(id)) return refuseAsUnknown();
      const document = (await byId({ accountId, value: id })) ?? (await readArchived(accountId, 'id', id));
      return document ?? refuseAsUnknown();
    },
    async documentByReference(accountId, referenceNumber) {
      if (!isReferenceNumber(referenceNumber)) return refuseAsUnknown();
      const document =
        (await byReference({ accountId, value: referenceNumber })) ??
        (await readArchived(accountId, 'reference_number', referenceNumber));
      return document ?? refuseAsUnknown();
    },
  };
}

const PROJECTION = Object.keys(ShipmentSchema.properties);

/** The part of a document that responses of the type Shipment contain. */
export function projectionOf(document: string): Shipment {
  const full = JSON.parse(document) as Shipment;
  const { platform, orderId, shopDomain } = full.externalReference;
  const fields = Object.entries({ ...full, externalReference: { platform, orderId, shopDomain } });
  return Object.fromEntries(fields.filter(([name]) => PROJECTION.includes(name))) as Shipment;
}
