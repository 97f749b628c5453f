import { Readable } from 'node:stream';
import type { Language } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { BYTE_ORDER_MARK, CSV_DIALECTS, type CsvDialect, csvLine } from '../../output-formats/write-csv.ts';
import { describeErrors } from './describe-errors.ts';
import { matchColumns } from './import-columns.ts';
import { findImport } from './read-imports.ts';

const LINES_AT_ONCE = 500;
const REASON = { fr: 'Erreur', en: 'Error' } as const;

/** The lines that were not created, as received, with the reason in a last column: to be corrected and imported again. */
export async function writeErrorFile(
  db: Database,
  accountId: string,
  importId: string,
  language: Language,
): Promise<Readable> {
  const { columns, delimiter, state } = await findImport(db, accountId, importId);
  const states = state === 'cancelled' ? ['bad', 'failed', 'good'] : ['bad', 'failed'];
  const headers = columns.map(({ header }) => header);
  const named = [...columns, ...TEMPLATE_COLUMNS[language]]; // a missing column is named as in the template
  const dialect: CsvDialect = { ...CSV_DIALECTS[language], delimiter: delimiter as CsvDialect['delimiter'] };
  async function* write(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine([...headers, REASON[language]], dialect);
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('import_lines')
        .select(['line', 'cells', 'errors'])
        .where('account_id', '=', accountId)
        .where('import_id', '=', importId)
        .where('line', '>', after)
        .where(
          'state',
          'in',
          states.map((name) => sql.lit(name)),
        ) // uses the partial index import_lines_refused, unless the import was cancelled
        .orderBy('line')
        .limit(LINES_AT_ONCE)
        .execute();
      for (const { cells, errors } of rows) {
        const filled = headers.map((_, i) => cells[i] ?? '');
        yield csvLine([...filled, describeErrors(errors, named, language)], dialect);
      }
      if (rows.length < LINES_AT_ONCE) return;
      after = rows.at(-1)?.line ?? after;
    }
  }
  return Readable.from(write(), { objectMode: false });
}

const TEMPLATES = {
  fr: [
    'Commande;Destinataire;Adresse;Code postal;Ville;Pays;Téléphone;E-mail;Poids (kg);Contenu;Date;Créneau;Groupe;Notes',
    '2041;Zoé Martin;12 rue de Rivoli;75001;Paris;France;0612345678;zoe@example.org;2,5;Vêtements;;;;Code 12A',
  ],
  en: [
    'Order,Recipient,Address,Postal code,Town,Country,Phone,E-mail,Weight (kg),Contents,Date,Slot,Group,Notes',
    '2041,Zoé Martin,12 rue de Rivoli,75001,Paris,France,0612345678,zoe@example.org,2.5,Clothes,,,,Code 12A',
  ],
} as const;

const TEMPLATE_COLUMNS = {
  fr: matchColumns(TEMPLATES.fr[0].split(CSV_DIALECTS.fr.delimiter)),
  en: matchColumns(TEMPLATES.en[0].split(CSV_DIALECTS.en.delimiter)),
};

/** A file to fill in, with one example line. */
export const importTemplate = (language: Language): string =>
  `${BYTE_ORDER_MARK}${TEMPLATES[language].join('\r\n')}\r\n`;
