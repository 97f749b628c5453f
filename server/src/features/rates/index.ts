import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { quoteRate } from './quote-rate.ts';

export interface RatesOptions {
  accounts: AccountDirectory;
  timeZone: string;
  now: () => Date;
}

export function serveRates(app: FastifyInstance, { accounts, timeZone, now }: RatesOptions): void {
  bind(app, ENDPOINTS.quoteRate, async ({ caller, body, answer }) => {
    const account = await accounts.settingsOf(caller.accountId);
    return answer(200, { success: true, rate: quoteRate(body, account, timeZone, now()) });
  });
}
