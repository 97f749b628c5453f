import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { readAmount, toEuros } from '../ledger/index.ts';
import { decideReview } from './decide-review.ts';
import { listAnyPayments } from './list-any-payments.ts';
import { decideWaiting, recordTransferAsStaff } from './record-as-staff.ts';
import { findAnyPayer } from './record-transfer.ts';

export interface PaymentsConsoleOptions {
  db: Database;
  config: Pick<Config, 'console' | 'timeZone'>;
  now: () => Date;
}

export function servePaymentsToConsole(app: FastifyInstance, { db, config, now }: PaymentsConsoleOptions): void {
  const rules = { limitCents: config.console.transferLimit * 100, timeZone: config.timeZone };

  bindConsole(app, 'listConsolePayments', async ({ staff, query, answer }) =>
    answer(200, { success: true, ...(await listAnyPayments(db, query, staff.staffId)) }),
  );

  bindConsole(app, 'findPayer', async ({ query, answer }) => {
    const payer = await findAnyPayer(db, query.payer);
    if (!payer) return answer(200, { success: true, merchant: null });
    const { balance_cents: cents } = await db
      .selectFrom('account_counters')
      .select('balance_cents')
      .where('account_id', '=', payer.id)
      .executeTakeFirstOrThrow();
    return answer(200, { success: true, merchant: { ...payer, balance: toEuros(cents) } });
  });

  bindConsole(app, 'recordTransfer', async ({ staff, body, answer }) => {
    const { amount, ...rest } = body;
    const transfer = { ...rest, amountCents: readAmount(amount) };
    const id = await recordTransferAsStaff(db, staff, transfer, rules, now());
    const { payments } = await listAnyPayments(db, { id }, staff.staffId);
    return answer(201, { success: true, payment: payments[0] ?? refuseAsNotFound() });
  });

  bindConsole(app, 'decideTransfer', async ({ staff, params, body, answer }) => {
    await decideWaiting(db, staff, { id: params.id.toLowerCase(), approve: body.approve }, now());
    return answer(200, { success: true });
  });

  bindConsole(app, 'decideReview', async ({ staff, params, body, answer }) => {
    const { received, approve, reason } = body;
    const id = params.id.toLowerCase();
    await decideReview(db, staff, { id, receivedCents: Math.round(received * 100), approve, reason }, rules, now());
    const { payments } = await listAnyPayments(db, { id }, staff.staffId);
    return answer(200, { success: true, payment: payments[0] ?? refuseAsNotFound() });
  });
}
