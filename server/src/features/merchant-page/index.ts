import type { QuoteRequest, WhyNot } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { type AccountSettings, readAccount } from '../accounts/index.ts';
import type { RequestLog } from '../requests/index.ts';
import { quoteShipment } from '../shipment-desk/index.ts';
import { type MerchantActOptions, serveMerchantActs } from './merchant-act-routes.ts';
import { readMerchantPage } from './read-merchant-page.ts';

export interface MerchantPageOptions extends MerchantActOptions {
  requestLog: RequestLog;
  config: Pick<Config, 'shipmentRetentionDays' | 'timeZone'>;
}

/** Refusals of a quote, in the words of the console. */
const SLOT_REFUSALS: Record<string, WhyNot> = {
  SLOT_PASSED: 'slot_passed',
  UNKNOWN_SLOT: 'slot_unknown',
  SLOT_WITHOUT_DATE: 'slot_without_date',
  DATE_WITHOUT_SLOT: 'date_without_slot',
};

/** Everything about one merchant, for staff. */
export function serveMerchantPage(app: FastifyInstance, options: MerchantPageOptions): void {
  const { db, requestLog, config, now } = options;
  serveMerchantActs(app, options);
  const { timeZone } = config;
  const accountOf = async (id: string) => {
    const account = isUuid(id) ? await readAccount(db, id.toLowerCase()) : null;
    return account && !account.isTest ? account : refuseAsNotFound();
  };

  /** A slot that does not exist is no failure of the simulation: the message says why. */
  const quoteOrRefuse = (body: QuoteRequest, account: AccountSettings) => {
    try {
      return quoteShipment(body, account, timeZone, now());
    } catch (error) {
      const why = error instanceof Refusal ? SLOT_REFUSALS[error.dashboardSlug ?? ''] : undefined;
      if (why) refuseNotPossible(why);
      throw error;
    }
  };

  bindConsole(app, 'readMerchantPage', async ({ params, answer }) => {
    const account = await accountOf(params.id);
    const page = await readMerchantPage({ db, requestLog, timeZone, now: now() }, account);
    return answer(200, { success: true, page });
  });

  bindConsole(app, 'quoteForMerchant', async ({ params, body, answer }) => {
    const account = await accountOf(params.id);
    return answer(200, { success: true, quote: quoteOrRefuse(body, account) });
  });
}
