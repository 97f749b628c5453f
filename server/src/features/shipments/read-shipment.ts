import { type Shipment, Shipment as ShipmentSchema } from '@navette/contract';
import type pg from 'pg';
import { coalesce } from '../../coalesce.ts';
import { refuseAsUnknown } from '../../http/refusal.ts';
import { isUuid } from '../../uuid.ts';
import { DOCUMENT_JSON } from './document-json.ts';
import { isReferenceNumber } from './reference-number.ts';

interface Wanted {
  accountId: string;
  /** An id or a reference number, as the statement asks. */
  value: string;
}

/** Reads documents as JSON text, always inside one account; a malformed, unknown or foreign one is 404 alike. */
export interface ShipmentReader {
  documentById(accountId: string, id: string): Promise<string>;
  documentByReference(accountId: string, referenceNumber: string): Promise<string>;
}

/**
 * Requests that arrive together are read by one statement, each with its own account in the WHERE: on a busy process
 * that is worth three times the throughput.
 */
export function createShipmentReader(pool: pg.Pool): ShipmentReader {
  const gather = (name: string, column: string, type: string) =>
    coalesce<Wanted, string | null>({ most: 64, atOnce: 1 }, async (wanted) => {
      const { rows } = await pool.query<{ position: number; document: string }>({
        name,
        text: `
          select w.position::int as position, ${DOCUMENT_JSON} as document
          from unnest($1::uuid[], $2::${type}[]) with ordinality as w (account_id, value, position)
          join shipments s on s.account_id = w.account_id and s.${column} = w.value`,
        values: [wanted.map(({ accountId }) => accountId), wanted.map(({ value }) => value)],
      });
      const found: (string | null)[] = wanted.map(() => null);
      for (const { position, document } of rows) found[position - 1] = document;
      return found;
    });
  const byId = gather('shipments-by-id', 'id', 'uuid');
  const byReference = gather('shipments-by-reference', 'reference_number', 'text');

  return {
    async documentById(accountId, id) {
      const document = isUuid(id) ? await byId({ accountId, value: id }) : null;
      return document ?? refuseAsUnknown();
    },
    async documentByReference(accountId, referenceNumber) {
      const document = isReferenceNumber(referenceNumber)
        ? await byReference({ accountId, value: referenceNumber })
        : null;
      return document ?? refuseAsUnknown();
    },
  };
}

const PROJECTION = Object.keys(ShipmentSchema.properties);

/** The projection's part of a document, for answers that promise exactly that. */
export function projectionOf(document: string): Shipment {
  const fields = Object.entries(JSON.parse(document) as Shipment);
  return Object.fromEntries(fields.filter(([name]) => PROJECTION.includes(name))) as Shipment;
}
