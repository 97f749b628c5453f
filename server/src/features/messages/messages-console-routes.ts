import type { WhyNot } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { authorizeStaff, recordOperatorAct } from '../staff/index.ts';
import { type ResendRefusal, resendMessage } from './resend-message.ts';
import { retryAnyMessage } from './retry-message.ts';

export interface MessagesConsoleOptions {
  db: Database;
  jobs: JobSender;
  now: () => Date;
}

const RESEND_REFUSALS = {
  'not-possible': 'message_not_sendable',
  'too-soon': 'message_sent_recently',
  'too-often': 'message_sent_too_often',
} as const satisfies Record<ResendRefusal, WhyNot>;

export function serveMessagesToConsole(app: FastifyInstance, { db, jobs, now }: MessagesConsoleOptions): void {
  bindConsole(app, 'resendConsoleMessage', async ({ staff, params, body, answer }) => {
    const at = now();
    const authorize = authorizeStaff(staff, 'support', at);
    const shipment = (await findAnyShipment(db, params.id)) ?? refuseAsNotFound();
    await db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      const wanted = { shipmentId: shipment.id, kind: body.kind };
      const outcome = await resendMessage(tx, jobs, shipment.accountId, wanted, at);
      if (outcome === 'unknown') return refuseAsNotFound();
      if ('refusal' in outcome) return refuseNotPossible(RESEND_REFUSALS[outcome.refusal]);
      const subject = { type: 'shipment', id: shipment.id, title: outcome.referenceNumber };
      const details = { kind: body.kind, accountId: shipment.accountId };
      await recordOperatorAct(tx, actor, { act: 'message.resent', subject, details }, at);
    });
    return answer(202, { success: true });
  });

  bindConsole(app, 'retryMessage', async ({ staff, params, answer }) => {
    const at = now();
    const outcome = await retryAnyMessage({ db, jobs }, authorizeStaff(staff, 'support', at), params.id, at);
    if (outcome === 'unknown') refuseAsNotFound();
    if (outcome === 'not-sendable') refuseNotPossible('number_refused');
    return answer(200, { success: true });
  });
}

const findAnyShipment = (db: Database, id: string) =>
  isUuid(id)
    ? db.selectFrom('shipments').select(['account_id as accountId', 'id']).where('id', '=', id).executeTakeFirst()
    : undefined;
