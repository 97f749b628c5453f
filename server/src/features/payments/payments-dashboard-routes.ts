import type { FastifyInstance } from 'fastify';
import { type StripeClient, StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { readAmount } from '../ledger/index.ts';
import { authorizeMember, recordAct } from '../members/index.ts';
import { readAccountReference } from './account-reference.ts';
import { changeAutomatic, readAutomatic, stopAutomatic } from './automatic-rows.ts';
import { listPayments, readPayment } from './payment-rows.ts';
import { readTopUpAmount, startTopUp } from './start-top-up.ts';

export interface PaymentsDashboardOptions {
  db: Database;
  /** Null when payments online are switched off. */
  stripe: StripeClient | null;
  config: Pick<Config, 'publicUrl' | 'topUp' | 'seller'>;
  now: () => Date;
}

const NOTHING = { online: null, transfer: null, automatic: null, payments: [] };

export function servePaymentsToDashboard(
  app: FastifyInstance,
  { db, stripe, config, now }: PaymentsDashboardOptions,
): void {
  const { seller, topUp } = config;
  const contact = seller.contact || null;

  bindDashboard(app, 'readPayments', async ({ member, answer }) => {
    const { accountId, isTestMode } = member;
    // A test account has money of its own: nothing to pay.
    if (isTestMode) return answer(200, { success: true, ...NOTHING, contact });
    const reference = seller.iban && (await readAccountReference(db, accountId));
    return answer(200, {
      success: true,
      online: stripe && { minimum: topUp.lowest, maximum: topUp.highest },
      transfer:
        seller.iban && reference
          ? { beneficiary: seller.name || 'Navette', iban: seller.iban, bic: seller.bic, reference }
          : null,
      automatic: stripe && (await readAutomatic(db, accountId)),
      contact,
      payments: await listPayments(db, accountId),
    });
  });

  bindDashboard(app, 'changeAutomaticTopUp', async ({ member, body, answer }) => {
    const settings = {
      thresholdCents: readAmount(body.threshold, 'threshold'),
      amountCents: readTopUpAmount(body.amount, topUp),
    };
    const at = now();
    await db.transaction().execute(async (tx) => {
      const actor = await authorizeMember(member, 'own', at)(tx);
      if (!(await changeAutomatic(tx, member.accountId, settings))) return refuseDashboard('AUTOMATIC_TOP_UP_OFF');
      await recordAct(tx, member.accountId, actor, { act: 'automatic-top-up-changed' }, at);
    });
    return answer(200, { success: true });
  });

  bindDashboard(app, 'stopAutomaticTopUp', async ({ member, answer }) => {
    const at = now();
    await db.transaction().execute(async (tx) => {
      const actor = await authorizeMember(member, 'own', at)(tx);
      if (await stopAutomatic(tx, member.accountId, null, at))
        await recordAct(tx, member.accountId, actor, { act: 'automatic-top-up-stopped' }, at);
    });
    return answer(200, { success: true });
  });

  bindDashboard(app, 'startTopUp', async ({ member, body, answer, request }) => {
    if (!stripe || member.isTestMode) return refuseDashboard('TOP_UP_UNAVAILABLE');
    const started = await startTopUp({ db, stripe, config }, member, body, now()).catch((error: unknown) => {
      if (!(error instanceof StripeFailure)) throw error;
      request.log.warn({ code: error.code, status: error.status }, 'Stripe created no page for a payment');
      return refuseDashboard('PAYMENT_PROVIDER_DOWN');
    });
    const payment = (await readPayment(db, member.accountId, started.id)) ?? refuseAsNotFound();
    return answer(201, { success: true, payment, url: started.url });
  });

  bindDashboard(app, 'readPayment', async ({ member, params, answer }) => {
    const payment = isUuid(params.id) ? await readPayment(db, member.accountId, params.id) : null;
    return answer(200, { success: true, payment: payment ?? refuseAsNotFound() });
  });
}
