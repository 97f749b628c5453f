import type { LedgerQuery } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { endOf, startOf } from '../slots/index.ts';
import { exportLedger } from './export-ledger.ts';
import { listLedger, type Period } from './list-ledger.ts';

export interface LedgerOptions {
  db: Database;
  timeZone: string;
}

export function serveLedgerToDashboard(app: FastifyInstance, { db, timeZone }: LedgerOptions): void {
  const periodOf = ({ from, to }: Pick<LedgerQuery, 'from' | 'to'>): Period => ({
    ...(from ? { since: startOf(from, timeZone) } : {}),
    ...(to ? { before: endOf(to, timeZone) } : {}),
  });

  bindDashboard(app, 'listLedger', async ({ member, query, answer }) =>
    answer(200, { success: true, ...(await listLedger(db, member.accountId, query, periodOf(query))) }),
  );

  bindDashboard(app, 'exportLedger', ({ member, query, answerWith }) => {
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="navette-ledger.csv"',
    };
    return answerWith(200, headers, exportLedger(db, member.accountId, periodOf(query), query.language ?? 'fr'));
  });
}
