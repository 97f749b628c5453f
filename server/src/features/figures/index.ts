import { type FigureRow, type FiguresBy, MOST_FIGURE_ROWS, STAFF_ROLE_ALLOWS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import { exportFigures } from './export-figures.ts';
import { nameKeys } from './name-keys.ts';
import { type Period, requirePeriod } from './period.ts';
import { presentFigures, presentIncidents } from './present-figures.ts';
import { type KeyFigures, readBusiest, readCountedAt, readPerDay, readPerHour, readTotal } from './read-figures.ts';

export { auditFigures } from './audit-figures.ts';
export { RowsAreGone, rebuildDay } from './rebuild-figures.ts';

interface FiguresOptions {
  db: Database;
  config: Pick<Config, 'timeZone'>;
  now: () => Date;
}

interface FigureList {
  rows: FigureRow[];
  hasMore: boolean;
}

/** Figures of a period for staff. Reads counters only. */
export function serveFigures(app: FastifyInstance, { db, config: { timeZone }, now }: FiguresOptions): void {
  const periodOf = (query: Partial<Period>) => requirePeriod(query, timeZone, now());

  bindConsole(app, 'readFigures', async ({ staff, query, answer }) => {
    const period = periodOf(query);
    const [total, countedAt] = await Promise.all([readTotal(db, period), readCountedAt(db)]);
    return answer(200, {
      success: true,
      ...period,
      countedAt: countedAt.toISOString(),
      figures: presentFigures(total, maySeeMoney(staff)),
      incidents: presentIncidents(total),
    });
  });

  bindConsole(app, 'listFigures', async ({ staff, query, answer }) => {
    const period = periodOf(query);
    return answer(200, { success: true, ...period, ...(await list(db, query.by, period, maySeeMoney(staff))) });
  });

  bindConsole(app, 'exportFigures', async ({ staff, query: { by, ...dates }, answerWith }) => {
    const period = periodOf(dates);
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="navette-${by}-${period.from}-${period.to}.csv"`,
    };
    const wanted = { by, period, language: staff.language, maySeeMoney: maySeeMoney(staff) };
    return answerWith(200, headers, await exportFigures(db, wanted));
  });
}

const maySeeMoney = ({ role }: SignedInStaff): boolean => STAFF_ROLE_ALLOWS[role].includes('money');

async function list(db: Database, by: FiguresBy, period: Period, withMoney: boolean): Promise<FigureList> {
  const present = ({ key, figures }: KeyFigures, name: string | null = null) => ({
    ...{ key, name, ...presentFigures(figures, withMoney) },
  });
  if (by === 'day' || by === 'hour') {
    const rows = await (by === 'day' ? readPerDay : readPerHour)(db, period);
    return { rows: rows.map((row) => present(row)), hasMore: false };
  }
  const found = await readBusiest(db, by, period, MOST_FIGURE_ROWS + 1);
  const rows = found.slice(0, MOST_FIGURE_ROWS);
  const keys = rows.map(({ key }) => key);
  const names = await nameKeys(db, by, keys);
  return { rows: rows.map((row) => present(row, names.get(row.key))), hasMore: found.length > rows.length };
}
