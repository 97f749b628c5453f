import type { Readable } from 'node:stream';
import type { ExportLanguage, ShipmentFilters } from '@navette/contract';
import type pg from 'pg';
import { localDay } from '../../calendar/local-calendar.ts';
import { streamAnswer } from '../../http/stream-answer.ts';
import { BYTE_ORDER_MARK, CSV_DIALECTS, type CsvCell, csvLine } from '../../output-formats/write-csv.ts';
import { toEuros } from '../ledger/index.ts';
import { type ListTime, type ReadNumbers, walkShipments } from './find-shipments.ts';
import { LINE_COLUMNS, type LineRow, readTime } from './list-shipment-lines.ts';
import { STATUS_NAMES } from './status-names.ts';

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

/** Column titles that an import recognises. The delivery code is not exported. */
const COLUMNS: readonly [fr: string, en: string, cell: (row: ExportRow, language: ExportLanguage) => CsvCell][] = [
  ['Commande', 'Order', ({ orderId }) => orderId],
  ['Référence', 'Reference', ({ referenceNumber }) => referenceNumber],
  ['Statut', 'Status', ({ status }, language) => STATUS_NAMES[language][status]],
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
  ['Créé le', 'Created', ({ createdAt }) => createdAt.toISOString()],
  ['Livré le', 'Delivered', ({ deliveredAt }) => deliveredAt?.toISOString() ?? null],
  ['Annulé le', 'Cancelled', ({ cancelledAt }) => cancelledAt?.toISOString() ?? null],
];
const KINDS = { fr: ['livraison', 'collecte'], en: ['delivery', 'collection'] } as const;

/** Streams the list as a CSV file, so memory does not grow with the account. */
export function exportShipments(
  pool: pg.Pool,
  accountId: string,
  filters: ShipmentFilters,
  language: ExportLanguage,
  { timeZone, now }: ListTime,
): Promise<Readable> {
  const dialect = CSV_DIALECTS[language];
  async function* write(): AsyncGenerator<string> {
    const names = COLUMNS.map(([fr, en]) => (language === 'fr' ? fr : en));
    let header = BYTE_ORDER_MARK + csvLine(names, dialect);
    const walk = walkShipments(
      pool,
      accountId,
      filters,
      { timeZone, now: await readTime(pool, accountId, now), cursor: null },
      readRows(pool, accountId),
    );
    for await (const { found } of walk) {
      const lines = found
        .map(({ row }) =>
          csvLine(
            COLUMNS.map(([, , cell]) => cell(row, language)),
            dialect,
          ),
        )
        .join('');
      yield header + lines;
      header = '';
    }
  }
  return streamAnswer(write());
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
