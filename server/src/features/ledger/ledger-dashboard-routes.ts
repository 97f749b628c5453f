import type { LedgerQuery } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { endOfDateFilter, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { exportLedger } from './export-ledger.ts';
import { listLedger, type Period } from './list-ledger.ts';

export interface LedgerOptions {
  db: Database;
  timeZone: string;
}

export function serveLedgerToDashboard(app: FastifyInstance, { db, timeZone }: LedgerOptions): void {
  const periodOf = ({ from, to }: Pick<LedgerQuery, 'from' | 'to'>): Period => ({
    ...(from ? { since: startOfDateFilter(from, timeZone) } : {}),
    ...(to ? { before: endOfDateFilter(to, timeZone) } : {}),
  });

  bindDashboard(app, 'listLedger', async ({ member, query, answer }) =>
    answer(200, { success: true, ...(await listLedger(db, member.accountId, query, periodOf(query))) }),
  );

  bindDashboard(app, 'exportLedger', async ({ member, query, answerWith }) => {
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="navette-ledger.csv"',
    };
    return answerWith(200, headers, await exportLedger(db, member.accountId, periodOf(query), query.language ?? 'fr'));
  });
}
