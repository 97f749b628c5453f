import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { drawInvoice } from './draw.ts';
import { pdfNamed } from './pdf-headers.ts';
import { listAnyInvoices, readAnyInvoice, summarize } from './read-invoices.ts';

const PAGE = 50;

export function serveInvoicesToConsole(app: FastifyInstance, { db }: { db: Database }): void {
  bindConsole(app, 'listConsoleInvoices', async ({ query, answer }) => {
    const { account, month, state, cursor } = query;
    const isUnknown = account !== undefined && !isUuid(account);
    const filter = { accountId: account, month, state, after: cursor };
    const found = isUnknown ? [] : await listAnyInvoices(db, filter, PAGE + 1);
    const page = found.slice(0, PAGE);
    const invoices = page.map((document) => ({
      ...summarize(document),
      month: document.month,
      merchant: { id: document.accountId, name: document.buyer.name },
    }));
    return answer(200, {
      success: true,
      invoices,
      nextCursor: found.length > PAGE ? (page.at(-1)?.number ?? null) : null,
    });
  });

  bindConsole(app, 'readConsoleInvoicePdf', async ({ params, answerWith }) => {
    const invoice = (await readAnyInvoice(db, params.number)) ?? refuseAsNotFound();
    return answerWith(200, pdfNamed(invoice.number), Readable.from([await drawInvoice(invoice)]));
  });
}
