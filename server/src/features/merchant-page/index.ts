import type { QuoteRequest } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { type AccountSettings, readAccount } from '../accounts/index.ts';
import { quoteShipment } from '../shipment-desk/index.ts';
import { readMerchantPage } from './read-merchant-page.ts';

export interface MerchantPageOptions {
  db: Database;
  redis: Redis;
  config: Pick<Config, 'redisPrefix' | 'timeZone'>;
  now: () => Date;
}

/** Everything about one merchant, for staff. */
export function serveMerchantPage(app: FastifyInstance, { db, redis, config, now }: MerchantPageOptions): void {
  const { timeZone, redisPrefix } = config;
  const accountOf = async (id: string) =>
    (isUuid(id) ? await readAccount(db, id.toLowerCase()) : null) ?? refuseAsNotFound();

  /** A slot that does not exist is no failure of the simulation: the message says why. */
  const quoteOrRefuse = (body: QuoteRequest, account: AccountSettings) => {
    try {
      return quoteShipment(body, account, timeZone, now());
    } catch (error) {
      if (error instanceof Refusal) refuseNotPossible(error.message);
      throw error;
    }
  };

  bindConsole(app, 'readMerchantPage', async ({ params, answer }) => {
    const account = await accountOf(params.id);
    const page = await readMerchantPage({ db, redis, redisPrefix, timeZone, now: now() }, account);
    return answer(200, { success: true, page });
  });

  bindConsole(app, 'quoteForMerchant', async ({ params, body, answer }) => {
    const account = await accountOf(params.id);
    return answer(200, { success: true, quote: quoteOrRefuse(body, account) });
  });
}
