import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';
import { refuse } from '../../http/refusal.ts';
import { type AccountSettings, prepareReadAccount } from './account.ts';

const FRESH_FOR_MS = 500; // the operator's change is in force everywhere within a second
const ACCOUNTS = 10_000;

export interface AccountDirectory {
  /** The settings as they were at most half a second ago. Enough to price; a refusal should look again. */
  settingsOf(accountId: string): Promise<AccountSettings>;
  /** The settings as they are now. */
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
    return (await readAccount(accountId)) ?? refuse('PROFESSIONAL_NOT_FOUND');
  }
  return {
    settingsOf: async (accountId) =>
      cache.get(accountId) ?? (await cache.fetch(accountId)) ?? currentSettingsOf(accountId),
    currentSettingsOf,
  };
}
