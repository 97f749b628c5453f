import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import { authorizeKey } from '../api-keys/index.ts';
import type { Locator } from '../geocoding/index.ts';
import type { AccountDirectory } from './account-directory.ts';
import { presentAccount, presentPickupAddress } from './present-account.ts';
import { setPickupAddress } from './set-pickup-address.ts';

export { type AccountSettings, amountDueCents, listAccounts, readAccount } from './account.ts';
export { type AccountDirectory, createAccountDirectory } from './account-directory.ts';
export type { AccountInput } from './account-input.ts';
export { servePickupAddressToDashboard } from './accounts-dashboard-routes.ts';
export { findOrCreateTwin, findTwin, TWIN_CREDIT_CENTS } from './create-twin.ts';
export { BadAccountInput, checkRetention, closeAccount, createAccount, updateAccount } from './manage-accounts.ts';
export { presentAccount, presentPickupAddress } from './present-account.ts';
export { readAccountTime, toClock } from './read-clock.ts';

export interface AccountsOptions {
  db: Database;
  accounts: AccountDirectory;
  locator: Locator;
  now: () => Date;
}

export function serveAccounts(app: FastifyInstance, { db, accounts, locator, now }: AccountsOptions): void {
  bind(app, ENDPOINTS.getAccount, async ({ caller, answer }) => {
    const account = await accounts.currentSettingsOf(caller.accountId);
    return answer(200, { success: true, account: presentAccount(account) });
  });

  bind(app, ENDPOINTS.setPickupAddress, async ({ caller, body, request, answer }) => {
    const place = await setPickupAddress(db, caller.accountId, body, locator, authorizeKey(caller, request, now()));
    return answer(200, { success: true, pickupAddress: presentPickupAddress(place) });
  });
}
