import { BYTE_ORDER_MARK, CSV_DIALECTS, csvLine } from '../../output-formats/write-csv.ts';
import { toEuros } from '../ledger/index.ts';
import type { Statement } from './read-statement.ts';
import { KIND_NAMES } from './statement-words.ts';

const HEADERS = ['Écriture', 'Date', 'Nature', 'Envoi', 'Motif', 'Montant', 'Solde'];

/** The first and the last line are the balances before and after the month. */
export function statementCsv({ month, openingCents, closingCents, entries }: Statement): string {
  const balance = (title: string, cents: number) => [null, month, title, null, null, null, { euros: toEuros(cents) }];
  const lines = [
    HEADERS,
    balance('Solde initial', openingCents),
    ...entries.map((line) => [
      line.entry,
      line.at.toISOString(),
      KIND_NAMES[line.kind],
      line.referenceNumber,
      line.reason,
      { euros: toEuros(line.amountCents) },
      { euros: toEuros(line.balanceAfterCents) },
    ]),
    balance('Solde final', closingCents),
  ];
  return BYTE_ORDER_MARK + lines.map((cells) => csvLine(cells, CSV_DIALECTS.fr)).join('');
}
