import type { Readable } from 'node:stream';
import type { Language } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { streamAnswer } from '../../http/stream-answer.ts';
import { BYTE_ORDER_MARK, CSV_DIALECTS, csvLine } from '../../output-formats/write-csv.ts';
import { type ActPeriod, type ActRow, readActPages } from './read-acts.ts';

const HEADERS: Record<Language, string[]> = {
  fr: ['Numéro', 'Date', 'Par', 'Acte', 'Objet', 'Désignation', 'Motif', 'Détails', 'Empreinte'],
  en: ['Number', 'Date', 'By', 'Act', 'Subject', 'Title', 'Reason', 'Details', 'Hash'],
};

/** Streams the log as CSV, oldest first. */
export const exportActsAsCsv = (db: Database, period: ActPeriod, language: Language): Promise<Readable> =>
  streamAnswer(csv(db, period, language));

async function* csv(db: Database, period: ActPeriod, language: Language): AsyncGenerator<string> {
  const dialect = CSV_DIALECTS[language];
  yield BYTE_ORDER_MARK + csvLine(HEADERS[language], dialect);
  for await (const page of readActPages(db, period)) {
    yield page
      .map((act) =>
        csvLine(
          [
            act.number,
            act.at,
            act.actor,
            act.act,
            act.subjectId === null ? null : `${act.subjectType} ${act.subjectId}`,
            act.subjectTitle,
            act.reason,
            JSON.stringify(act.details),
            act.hash.toString('hex'),
          ],
          dialect,
        ),
      )
      .join('');
  }
}

/** Streams the log as JSON lines, oldest first, with all that the hashes cover: docs/operators/staff.md has the rule. */
export const exportActsAsLines = (db: Database, period: ActPeriod): Promise<Readable> =>
  streamAnswer(lines(db, period));

async function* lines(db: Database, period: ActPeriod): AsyncGenerator<string> {
  yield ''; // an empty log is an empty file
  for await (const page of readActPages(db, period)) yield page.map(asLine).join('');
}

const asLine = (act: ActRow): string => `${JSON.stringify({ ...act, hash: act.hash.toString('hex') })}\n`;
