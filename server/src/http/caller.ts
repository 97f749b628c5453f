import type { BlockList } from 'node:net';
import type { KeyResource, RateWindow, Scope } from '@navette/contract';
import type { TwinClock } from '../calendar/twin-clock.ts';

export type RateLimits = Record<RateWindow, number>;

/** The authenticated caller of the merchant API. */
export interface Caller {
  accountId: string;
  /** The account is a test twin. */
  isTest: boolean;
  /** Another cell serves the account, or will in a moment. */
  isMoved: boolean;
  clock: TwinClock;
  accountName: string;
  clientId: string;
  rateLimits: RateLimits;
  key: {
    id: string;
    name: string | null;
    scopes: readonly Scope[];
    expiresAt: Date | null;
    /** Null for a key without restrictions. */
    narrowing: KeyRestrictions | null;
  };
}

/** Restrictions of a narrowed key. */
export interface KeyRestrictions {
  /** The addresses it works from; null: all. */
  networks: BlockList | null;
  /** The parts of the API it may call; null: all. */
  resources: ReadonlySet<KeyResource> | null;
}

/** A key as authentication needs it; `account` is null when the account was deleted or closed. */
export interface KnownKey {
  key: Caller['key'];
  account: Omit<Caller, 'key'> | null;
}

/** Finds a key that exists and was not revoked. The result is at most half a second old. */
export interface KeyFinder {
  find(key: string): Promise<KnownKey | null>;
  /** True when the key was accepted recently: failed attempts from the same address do not throttle its caller. */
  wasValidRecently(key: string): boolean;
}
