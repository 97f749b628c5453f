import { Readable } from 'node:stream';
import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { isMonth } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { refuseAsUnknownStatement } from '../../refusals/driver-refusal.ts';
import { toEuros } from '../ledger/index.ts';
import { monthOf, readStatement } from './read-statement.ts';
import { statementCsv } from './statement-csv.ts';

export interface DriverPayOptions {
  db: Database;
  timeZone: string;
  now: () => Date;
}

/** The driver API's commands on earnings. */
export function serveDriverPay(app: FastifyInstance, { db, timeZone, now }: DriverPayOptions): void {
  bindDriver(app, DRIVER_ENDPOINTS.readEarnings, async ({ driver, query, answer }) => {
    const wanted = query.month ?? monthOf(now(), timeZone);
    const { month, totalCents, entries } = await readStatement(db, driver.driverId, wanted, timeZone);
    return answer(200, {
      success: true,
      month,
      total: toEuros(totalCents),
      entries: entries.map(({ at, kind, amountCents, referenceNumber, reason }) => ({
        at: at.toISOString(),
        kind,
        amount: toEuros(amountCents),
        referenceNumber,
        reason,
      })),
    });
  });

  bindDriver(app, DRIVER_ENDPOINTS.readStatementCsv, async ({ driver, params, answerWith }) => {
    const statement = await statementOf(driver.driverId, params.month);
    return answerWith(200, fileHeaders('text/csv; charset=utf-8', `${params.month}.csv`), statementCsv(statement));
  });

  bindDriver(app, DRIVER_ENDPOINTS.readStatementPdf, async ({ driver, params, answerWith }) => {
    const statement = await statementOf(driver.driverId, params.month);
    const { statementPdf } = await import('./statement-pdf.ts'); // its fonts take memory, and few processes need them
    const pdf = await statementPdf(statement, await readDriver(driver.driverId), timeZone);
    return answerWith(200, fileHeaders('application/pdf', `${params.month}.pdf`), Readable.from([pdf]));
  });

  const statementOf = (driverId: string, month: string) =>
    isMonth(month) ? readStatement(db, driverId, month, timeZone) : refuseAsUnknownStatement();

  const readDriver = async (id: string) => {
    const { first_name, last_name } = await db
      .selectFrom('drivers')
      .select(['first_name', 'last_name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, name: `${first_name} ${last_name}` };
  };
}

/** The month is part of the name: it was checked, so it needs no escaping. */
const fileHeaders = (type: string, name: string) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="releve-${name}"`,
});
