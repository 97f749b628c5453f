import type { FastifyInstance } from 'fastify';
import type { AddressSource } from '../../adapters/geocoder/address-source.ts';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { changeAddress, deleteAddress, listAddresses, saveAddress } from './saved-addresses.ts';
import { createSuggestions } from './suggest-addresses.ts';

export { noteAddressUse } from './saved-addresses.ts';

export interface AddressBookOptions {
  db: Database;
  addressSource: AddressSource;
  rateLimiter: RateLimiter;
  now: () => Date;
}

/** Saved recipients of an account, and the completion of addresses while they are typed. */
export function serveAddressBook(app: FastifyInstance, options: AddressBookOptions): void {
  const { db, addressSource, rateLimiter, now } = options;
  const suggest = createSuggestions(addressSource, rateLimiter, app.log);

  bindDashboard(app, 'listAddresses', async ({ member, query, answer }) =>
    answer(200, { success: true, ...(await listAddresses(db, member.accountId, query)) }),
  );

  bindDashboard(app, 'saveAddress', async ({ member, body, answer }) =>
    answer(201, { success: true, address: await saveAddress(db, member.accountId, body, now()) }),
  );

  bindDashboard(app, 'changeAddress', async ({ member, params, body, answer }) =>
    answer(200, { success: true, address: await changeAddress(db, member.accountId, params.id, body, now()) }),
  );

  bindDashboard(app, 'deleteAddress', async ({ member, params, answer }) => {
    await deleteAddress(db, member.accountId, params.id);
    return answer(200, { success: true });
  });

  bindDashboard(app, 'suggestAddresses', async ({ member, query, answer }) =>
    answer(200, { success: true, suggestions: await suggest(member.memberId, query) }),
  );
}
