import type { Readable } from 'node:stream';
import type { Language, LedgerEntry } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { streamAnswer } from '../../http/stream-answer.ts';
import { BYTE_ORDER_MARK, CSV_DIALECTS, csvLine } from '../../output-formats/write-csv.ts';
import { listLedger, type Period } from './list-ledger.ts';

const PAGE = 1_000;
const HEADERS: Record<Language, string[]> = {
  fr: ['Écriture', 'Date', 'Nature', 'Montant', 'Solde', 'Envoi', 'Commande', 'Note'],
  en: ['Entry', 'Date', 'Kind', 'Amount', 'Balance', 'Shipment', 'Order', 'Note'],
};
const KINDS: Record<Language, Record<LedgerEntry['kind'], string>> = {
  fr: { credit: 'Crédit', charge: 'Envoi', refund: 'Remboursement' },
  en: { credit: 'Credit', charge: 'Shipment', refund: 'Refund' },
};

/** Streams the ledger as CSV, newest first, page by page: memory stays bounded, and no connection is held while the client reads. */
export function exportLedger(db: Database, accountId: string, period: Period, language: Language): Promise<Readable> {
  return streamAnswer(lines(db, accountId, period, language));
}

async function* lines(db: Database, accountId: string, period: Period, language: Language): AsyncGenerator<string> {
  const dialect = CSV_DIALECTS[language];
  let header = BYTE_ORDER_MARK + csvLine(HEADERS[language], dialect);
  let cursor: string | null | undefined;
  do {
    const from = cursor ? { cursor } : {};
    const { entries, nextCursor } = await listLedger(db, accountId, { ...from, limit: PAGE }, period);
    const page = entries
      .map(({ entry, createdAt, kind, amount, balanceAfter, shipment, note }) =>
        csvLine(
          [
            entry,
            createdAt,
            KINDS[language][kind],
            { euros: amount },
            { euros: balanceAfter },
            shipment?.referenceNumber ?? null,
            shipment?.orderId ?? null,
            note,
          ],
          dialect,
        ),
      )
      .join('');
    yield header + page;
    header = '';
    cursor = nextCursor;
  } while (cursor);
}
