import type { RateWindow, Scope } from '@navette/contract';

export type RateLimits = Record<RateWindow, number>;

/** Who is calling, once the front door has let them in. */
export interface Caller {
  accountId: string;
  accountName: string;
  clientId: string;
  rateLimits: RateLimits;
  key: { id: string; name: string | null; scopes: readonly Scope[]; expiresAt: Date | null };
}

/** A key as the front door needs it; `account` is null when the account is gone. */
export interface KnownKey {
  key: Caller['key'];
  account: Omit<Caller, 'key'> | null;
}

/** Finds a key that exists and was not revoked; the answer may be at most half a second old. */
export interface KeyFinder {
  find(key: string): Promise<KnownKey | null>;
  /** True when the key opened the door lately: such a caller is not held up for its neighbours' mistakes. */
  wasGoodLately(key: string): boolean;
}
