import type { Readable } from 'node:stream';
import { type FiguresBy, INCIDENT_WORDS, type Language } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { streamAnswer } from '../../http/stream-answer.ts';
import { BYTE_ORDER_MARK, CSV_DIALECTS, type CsvCell, csvLine } from '../../output-formats/write-csv.ts';
import { COUNT_COLUMN, FIGURE_COLUMNS, FIRST_COLUMNS, MONEY_COLUMNS } from './export-words.ts';
import { nameKeys } from './name-keys.ts';
import { bucketsOf, type Period } from './period.ts';
import { presentFigures, presentIncidents } from './present-figures.ts';
import {
  type KeyFigures,
  listKeys,
  type OpenDimension,
  readKeys,
  readPerDay,
  readPerHour,
  readTotal,
} from './read-figures.ts';

export interface FigureExport {
  by: FiguresBy | 'incident';
  period: Period;
  language: Language;
  maySeeMoney: boolean;
}

type NamedFigures = KeyFigures & { name: string | null };

const KEYS_AT_ONCE = 200; // times at most 71 rows each

/** Streams a table as CSV, with all its rows. */
export const exportFigures = (db: Database, wanted: FigureExport): Promise<Readable> => streamAnswer(csv(db, wanted));

async function* csv(db: Database, { by, period, language, maySeeMoney }: FigureExport): AsyncGenerator<string> {
  const dialect = CSV_DIALECTS[language];
  const first = FIRST_COLUMNS[language][by];
  if (by === 'incident') {
    yield BYTE_ORDER_MARK + csvLine([...first, COUNT_COLUMN[language]], dialect);
    const incidents = presentIncidents(await readTotal(db, period));
    yield incidents.map(({ kind, count }) => csvLine([INCIDENT_WORDS[language][kind], count], dialect)).join('');
    return;
  }
  const columns = [...first, ...FIGURE_COLUMNS[language], ...(maySeeMoney ? MONEY_COLUMNS[language] : [])];
  yield BYTE_ORDER_MARK + csvLine(columns, dialect);
  for await (const rows of readRows(db, by, period))
    yield rows.map((row) => csvLine(cellsOf(by, row, maySeeMoney), dialect)).join('');
}

async function* readRows(db: Database, by: FiguresBy, period: Period): AsyncGenerator<NamedFigures[]> {
  if (by === 'day' || by === 'hour') {
    const rows = await (by === 'day' ? readPerDay : readPerHour)(db, period);
    yield rows.map((row) => ({ ...row, name: null }));
    return;
  }
  const keys = await listKeys(db, by, period);
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) yield readNamed(db, by, period, keys.slice(i, i + KEYS_AT_ONCE));
}

async function readNamed(db: Database, by: OpenDimension, period: Period, keys: string[]): Promise<NamedFigures[]> {
  const rows = await readKeys(db, by, bucketsOf(period), keys);
  const names = await nameKeys(db, by, keys);
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((row) => ({ ...row, name: names.get(row.key) ?? null }));
}

function cellsOf(by: FiguresBy, { key, name, figures }: NamedFigures, maySeeMoney: boolean): CsvCell[] {
  const { charged, pay, ...shown } = presentFigures(figures, maySeeMoney);
  const { delivered, onTime, returned, cancelled, incidents } = shown;
  return [
    ...firstCells(by, key, name),
    ...[delivered, onTime, returned, cancelled, incidents],
    ...[shown.toDriverP50, shown.toDriverP95, shown.toDoorP50, shown.toDoorP95],
    ...(charged === null || pay === null ? [] : [{ euros: charged }, { euros: pay }]),
  ];
}

/** A person looks for the name, a program for the id. */
function firstCells(by: FiguresBy, key: string, name: string | null): CsvCell[] {
  if (by === 'day') return [key];
  if (by === 'hour') return [`${key}:00`];
  return by === 'zone' ? [key, name] : [name, key];
}
