import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';
import { accountMoving, refuse } from '../../refusals/refusal.ts';
import { type AccountSettings, prepareReadAccount } from './account.ts';

const FRESH_FOR_MS = 500; // the operator's change takes effect in every process within a second
const ACCOUNTS = 10_000;

export interface AccountDirectory {
  /** Cached settings, at most half a second old. Check again with current ones before refusing. */
  settingsOf(accountId: string): Promise<AccountSettings>;
  /** The current settings, uncached. */
  currentSettingsOf(accountId: string): Promise<AccountSettings>;
}

export function createAccountDirectory(db: Database, pool: pg.Pool): AccountDirectory {
  const readAccount = prepareReadAccount(db, pool);
  const cache = new LRUCache<string, AccountSettings>({
    max: ACCOUNTS,
    ttl: FRESH_FOR_MS,
    fetchMethod: (accountId) => currentSettingsOf(accountId),
  });
  async function currentSettingsOf(accountId: string): Promise<AccountSettings> {
    const account = (await readAccount(accountId)) ?? refuse('PROFESSIONAL_NOT_FOUND');
    if (account.movedTo !== null) throw accountMoving();
    return account;
  }
  return {
    settingsOf: async (accountId) =>
      cache.get(accountId) ?? (await cache.fetch(accountId)) ?? currentSettingsOf(accountId),
    currentSettingsOf,
  };
}
