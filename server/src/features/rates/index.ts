import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { accountTime } from '../../calendar/twin-clock.ts';
import { bind } from '../../http/bind.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { AccountDirectory, AccountSettings } from '../accounts/index.ts';
import { quoteRate } from './quote-rate.ts';

export { type PriceStep, priceParcel } from './price.ts';
export { quoteRate } from './quote-rate.ts';

export interface RatesOptions {
  accounts: AccountDirectory;
  timeZone: string;
  now: () => Date;
}

export function serveRates(app: FastifyInstance, { accounts, timeZone, now }: RatesOptions): void {
  bind(app, ENDPOINTS.quoteRate, async ({ caller, body, answer }) => {
    const quote = (account: AccountSettings) => quoteRate(body, account, timeZone, accountTime(account.clock, now()));
    const quoted = quote(await accounts.settingsOf(caller.accountId));
    // Cached settings may be outdated: a refusal is checked again with the current ones.
    const rate = quoted instanceof Refusal ? quote(await accounts.currentSettingsOf(caller.accountId)) : quoted;
    if (rate instanceof Refusal) throw rate;
    return answer(200, { success: true, rate });
  });
}
