import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { exportLedger } from '../ledger/index.ts';
import { authorizeMember, recordAct } from '../members/index.ts';
import { readBillingDetails, saveBillingDetails } from './buyer.ts';
import { drawInvoice, drawStatement } from './draw.ts';
import { pdfNamed } from './pdf-headers.ts';
import { listBillingMonths, readInvoice } from './read-invoices.ts';
import { readStatement, readStatementContent } from './read-statement.ts';

export interface InvoicesOptions {
  db: Database;
  config: Pick<Config, 'seller' | 'timeZone'>;
  now: () => Date;
}

export function serveInvoicesToDashboard(app: FastifyInstance, { db, config, now }: InvoicesOptions): void {
  bindDashboard(app, 'readBillingDetails', async ({ member, answer }) =>
    answer(200, { success: true, details: await readBillingDetails(db, member.accountId) }),
  );

  bindDashboard(app, 'changeBillingDetails', async ({ member, body, answer }) => {
    const at = now();
    const { accountId } = member;
    const authorize = authorizeMember(member, 'own', at);
    await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      await saveBillingDetails(tx, accountId, body, at);
      await recordAct(tx, accountId, actor, { act: 'billing-details-changed' }, at);
    });
    return answer(200, { success: true, details: await readBillingDetails(db, accountId) });
  });

  bindDashboard(app, 'listInvoices', async ({ member, query, answer }) =>
    answer(200, { success: true, ...(await listBillingMonths(db, member.accountId, query.cursor)) }),
  );

  bindDashboard(app, 'readInvoicePdf', async ({ member, params, answerWith }) => {
    const invoice = (await readInvoice(db, member.accountId, params.number)) ?? refuseAsNotFound();
    return answerWith(200, pdfNamed(invoice.number), Readable.from([await drawInvoice(invoice)]));
  });

  bindDashboard(app, 'readStatementPdf', async ({ member, params, answerWith }) => {
    const statement = await closedMonth(member.accountId, params.month);
    const content = await readStatementContent(db, member.accountId, statement, config.timeZone);
    const pdf = await drawStatement(content, config.seller.name || 'Navette');
    return answerWith(200, pdfNamed(`navette-${statement.month}`), Readable.from([pdf]));
  });

  bindDashboard(app, 'exportStatement', async ({ member, params, query, answerWith }) => {
    const { month, ...range } = await closedMonth(member.accountId, params.month);
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="navette-${month}.csv"`,
    };
    return answerWith(200, headers, await exportLedger(db, member.accountId, range, query.language ?? 'fr'));
  });

  const closedMonth = async (accountId: string, month: string) =>
    (await readStatement(db, accountId, month)) ?? refuseAsNotFound();
}
