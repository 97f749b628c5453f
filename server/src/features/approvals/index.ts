import type { Approval } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { readAnyConsoleShipment } from '../dispatch/index.ts';
import { readAmount, toEuros } from '../ledger/index.ts';
import { type ApprovalRow, listAnyWaiting } from './approval-rows.ts';
import { confirmDelivery } from './confirm-delivery.ts';
import { creditAccount } from './credit-account.ts';
import { decideApproval } from './decide-approval.ts';

export { listAnyWaiting } from './approval-rows.ts';

export interface ApprovalsOptions {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'console' | 'driverPay' | 'timeZone'>;
  now: () => Date;
}

/** Acts that need a second person above a limit, and the decisions of that person. */
export function serveApprovals(app: FastifyInstance, { db, jobs, config, now }: ApprovalsOptions): void {
  const rules = {
    creditLimitCents: config.console.creditLimit * 100,
    confirmationsPerDay: config.console.confirmationsPerDay,
    timeZone: config.timeZone,
  };
  const context = () => ({ db, jobs, config, now: now() });

  bindConsole(app, 'creditAccount', async ({ staff, params, body, answer }) => {
    const { amount, reason, requestId } = body;
    const amountCents = readAmount(amount);
    const accountId = params.id.toLowerCase();
    const request = { accountId, amountCents, reason, requestId: requestId.toLowerCase() };
    const approvalId = await creditAccount({ db, ...rules }, staff, request, now());
    return answer(approvalId ? 202 : 200, { success: true, shipment: null, approvalId });
  });

  bindConsole(app, 'confirmDelivery', async ({ staff, params, body, answer }) => {
    const approvalId = await confirmDelivery({ ...context(), rules }, staff, { shipmentId: params.id, ...body });
    const shipment = await readAnyConsoleShipment(db, params.id);
    return answer(approvalId ? 202 : 200, { success: true, shipment, approvalId });
  });

  bindConsole(app, 'listApprovals', async ({ answer }) =>
    answer(200, { success: true, approvals: (await listAnyWaiting(db)).map(present) }),
  );

  bindConsole(app, 'decideApproval', async ({ staff, params, body, answer }) => {
    await decideApproval(context(), staff, { id: params.id, approve: body.approve, reason: body.reason ?? null });
    return answer(200, { success: true });
  });
}

const present = (row: ApprovalRow): Approval => ({
  id: row.id,
  act: row.act as Approval['act'],
  subject:
    row.shipmentId === null
      ? { type: 'account', id: row.accountId, title: row.title }
      : { type: 'shipment', id: row.shipmentId, title: row.title },
  amount: row.amountCents === null ? null : toEuros(row.amountCents),
  reason: row.reason,
  requestedBy: { id: row.requestedBy, name: row.requestedByName },
  requestedAt: row.requestedAt.toISOString(),
});
