import { Readable } from 'node:stream';
import { type ExportLanguage, type ShipmentFilters, type ShipmentStatus, STATUS_LABELS } from '@navette/contract';
import type pg from 'pg';
import { BYTE_ORDER_MARK, CSV_DIALECTS, type CsvCell, csvLine } from '../../write-csv.ts';
import { toEuros } from '../ledger/index.ts';
import { localDay } from '../slots/index.ts';
import { type ReadNumbers, walkShipments } from './find-shipments.ts';
import { LINE_COLUMNS, type LineRow } from './list-shipments.ts';

interface ExportRow extends LineRow {
  street: string;
  country: string;
  phoneNumber: string;
  email: string;
  weight: number;
  nature: string;
  notes: string | null;
  source: string;
  deliveredAt: Date | null;
  cancelledAt: Date | null;
}

/** Heads of an export, in the words that an import reads back. The delivery code is not among them. */
const COLUMNS: readonly [fr: string, en: string, cell: (row: ExportRow, language: ExportLanguage) => CsvCell][] = [
  ['Commande', 'Order', ({ orderId }) => orderId],
  ['Référence', 'Reference', ({ referenceNumber }) => referenceNumber],
  ['Statut', 'Status', ({ status }, language) => (language === 'fr' ? STATUS_LABELS[status] : ENGLISH[status])],
  ['Type', 'Kind', ({ isCollection }, language) => KINDS[language][isCollection ? 1 : 0]],
  ['Destinataire', 'Recipient', ({ recipientName }) => recipientName],
  ['Adresse', 'Address', ({ street }) => street],
  ['Code postal', 'Postal code', ({ postalCode }) => postalCode],
  ['Ville', 'Town', ({ city }) => city],
  ['Pays', 'Country', ({ country }) => country],
  ['Téléphone', 'Phone', ({ phoneNumber }) => phoneNumber],
  ['E-mail', 'E-mail', ({ email }) => email],
  ['Poids (kg)', 'Weight (kg)', ({ weight }) => weight],
  ['Contenu', 'Contents', ({ nature }) => nature],
  ['Date', 'Date', ({ date }) => date],
  ['Créneau', 'Slot', ({ timeSlot }) => timeSlot],
  ['Groupe', 'Group', ({ groupReference }) => groupReference],
  ['Notes', 'Notes', ({ notes }) => notes],
  ['Prix (EUR)', 'Price (EUR)', ({ priceCents }) => ({ euros: toEuros(priceCents) })],
  ['Origine', 'Source', ({ source }) => source],
  ['Créée le', 'Created', ({ createdAt }) => createdAt.toISOString()],
  ['Livrée le', 'Delivered', ({ deliveredAt }) => deliveredAt?.toISOString() ?? null],
  ['Annulée le', 'Cancelled', ({ cancelledAt }) => cancelledAt?.toISOString() ?? null],
];
const KINDS = { fr: ['livraison', 'collecte'], en: ['delivery', 'collection'] } as const;
const ENGLISH: Record<ShipmentStatus, string> = {
  programmed: 'Scheduled',
  created: 'Created',
  assigned: 'Driver assigned',
  picked_up: 'Picked up',
  in_transit: 'In transit',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** The list as a file, written while it is read: memory does not grow with the account. */
export function exportShipments(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  language: ExportLanguage,
  timeZone: string,
): Readable {
  const dialect = CSV_DIALECTS[language];
  async function* write(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK +
      csvLine(
        COLUMNS.map(([fr, en]) => (language === 'fr' ? fr : en)),
        dialect,
      );
    const walk = walkShipments(pool, accountId, filters, { timeZone, cursor: null }, readRows(pool, accountId));
    for await (const { found } of walk) {
      yield found
        .map(({ row }) =>
          csvLine(
            COLUMNS.map(([, , cell]) => cell(row, language)),
            dialect,
          ),
        )
        .join('');
    }
  }
  return Readable.from(write(), { objectMode: false });
}

export const exportNameOf = (language: ExportLanguage, timeZone: string, now: Date) =>
  `${language === 'fr' ? 'expeditions' : 'shipments'}-${localDay(now, timeZone)}.csv`;

const readRows =
  (pool: pg.Pool, accountId: string): ReadNumbers<ExportRow> =>
  async (numbers) => {
    const { rows } = await pool.query<ExportRow>({
      name: 'exported-shipments',
      text: `
        select ${LINE_COLUMNS}, s.delivery_address ->> 'street' as street, s.delivery_address ->> 'country' as country,
          s.delivery_address ->> 'phoneNumber' as "phoneNumber", s.delivery_address ->> 'email' as email, s.weight,
          s.nature, s.notes, s.platform as source, s.delivered_at as "deliveredAt", s.cancelled_at as "cancelledAt"
        from shipments s where s.account_id = $1 and s.number = any($2::bigint[])`,
      values: [accountId, numbers],
    });
    return rows;
  };
