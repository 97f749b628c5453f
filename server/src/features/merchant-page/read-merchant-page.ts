import type { Merchant, MerchantPage } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { withoutQuery } from '../../network/without-query.ts';
import { type AccountSettings, presentAccount } from '../accounts/index.ts';
import { listKeys } from '../api-keys/index.ts';
import { listLedger } from '../ledger/index.ts';
import { listMembers } from '../members/index.ts';
import { readOverview } from '../overview/index.ts';
import { type RequestLog, readRequests } from '../requests/index.ts';
import { readWebhooks } from '../webhooks/index.ts';

export interface MerchantPageContext {
  db: Database;
  requestLog: RequestLog;
  timeZone: string;
  now: Date;
}

const DAYS = 30;
const LEDGER_ENTRIES = 20;
const ERRORS = 20;

/** Everything about one merchant, with the dashboard's readers: each reads a bounded number of rows by an index. */
export async function readMerchantPage(context: MerchantPageContext, account: AccountSettings): Promise<MerchantPage> {
  const { db, timeZone, now } = context;
  const [overview, keys, members, webhooks, errors, ledger] = await Promise.all([
    readOverview(db, account, DAYS, timeZone, now),
    listKeys(db, account.id, now),
    listMembers(db, account.id, now),
    readWebhooks(db, account.id, now),
    readErrors(context, account.id),
    listLedger(db, account.id, { limit: LEDGER_ENTRIES }),
  ]);
  return {
    merchant: presentMerchant(account),
    byStatus: overview.byStatus,
    days: overview.days,
    keys: keys.map(({ id, name, hint, scopes, lastUsedAt, expiresAt, revokedAt }) => ({
      ...{ id, name, hint, scopes },
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
    })),
    members: members.map(({ id, name, email, role, secondFactorSince, lastSeenAt }) => ({
      ...{ id, name, email, role, secondFactor: secondFactorSince !== null },
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    })),
    webhooks: webhooks.map(({ id, url, isActive, failingSince, pausedAt, latest }) => ({
      ...{ id, url: withoutQuery(url), isActive, failingSince, pausedAt },
      delivered: latest.filter(({ status }) => status === 'delivered').length,
      dropped: latest.filter(({ status }) => status === 'dropped').length,
    })),
    errors,
    ledger: ledger.entries.map(({ entry, kind, amount, balanceAfter, note, shipment, createdAt }) => ({
      ...{ entry, kind, amount, balanceAfter, note, at: createdAt },
      shipment: shipment && { id: shipment.id, reference: shipment.referenceNumber },
    })),
  };
}

function presentMerchant(account: AccountSettings): Merchant {
  const { _id, pickupAddress: _, pickupAddressConfigured: __, timeSlots, ...settings } = presentAccount(account);
  const place = account.pickupAddress;
  return {
    ...settings,
    id: _id,
    timeSlots: timeSlots.map(({ label }) => label),
    pickupAddress: place && `${place.street}, ${place.postalCode} ${place.city}`,
    pickup: place && { street: place.street, city: place.city, postalCode: place.postalCode },
    gracePeriodEndsAt: account.gracePeriodEndsAt?.toISOString() ?? null,
    smsPerDay: account.smsPerDay,
    retentionDays: account.retentionDays,
    createdAt: account.createdAt.toISOString(),
    closedAt: account.closedAt?.toISOString() ?? null,
    version: String(account.settingsVersion),
  };
}

/** Refusals of the merchant's requests and failures of the service, newest first. Null without Redis. */
async function readErrors({ requestLog, now }: MerchantPageContext, accountId: string) {
  const read = (status: string) => readRequests(requestLog, accountId, { status }, now);
  const pages = await Promise.all([read('4xx'), read('5xx')]).catch(() => null);
  if (!pages) return null;
  return pages
    .flatMap(({ entries }) => entries)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, ERRORS)
    .map(({ at, requestId, method, route, status, error, fields }) => ({
      ...{ at: at.toISOString(), requestId, method, route, status, error, fields },
    }));
}
