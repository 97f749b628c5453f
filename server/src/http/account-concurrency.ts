import { refuseAsTooMany } from '../refusals/refusal.ts';

export interface AccountConcurrencyOptions {
  /** How many operations of one account run at the same time. */
  maxRunning: number;
  /** How many operations of one account may wait; more are refused. */
  maxWaiting: number;
  /** How long an operation waits before it is refused. */
  waitMs: number;
}

/** Waits for a turn and returns the function that releases it. Refuses with 429 when the wait would be too long. */
export type AcquireTurn = (accountId: string) => Promise<() => void>;

interface Account {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Limits concurrency per account, in this process, for operations that cost far more than the one request they count as.
 * Accounts do not wait for each other.
 */
export function createAccountConcurrency({ maxRunning, maxWaiting, waitMs }: AccountConcurrencyOptions): AcquireTurn {
  const accounts = new Map<string, Account>();

  /** Passes the turn to the operation that has waited longest. */
  function release(accountId: string, account: Account): void {
    const [next] = account.waiting;
    if (next) {
      account.waiting.delete(next);
      next();
    } else {
      account.running--;
      if (account.running === 0) accounts.delete(accountId);
    }
  }

  async function wait({ waiting }: Account): Promise<void> {
    const { promise: turn, resolve } = Promise.withResolvers<'acquired' | 'timed out'>();
    const acquire = () => resolve('acquired');
    const timeout = setTimeout(() => {
      waiting.delete(acquire);
      resolve('timed out');
    }, waitMs);
    waiting.add(acquire);
    const outcome = await turn;
    clearTimeout(timeout);
    if (outcome === 'timed out') refuseAsTooMany('minute');
  }

  return async (accountId) => {
    const account = accounts.get(accountId) ?? { running: 0, waiting: new Set() };
    accounts.set(accountId, account);
    if (account.running < maxRunning) account.running++;
    else if (account.waiting.size >= maxWaiting) refuseAsTooMany('minute');
    else await wait(account);
    let isHeld = true;
    return () => {
      if (isHeld) release(accountId, account);
      isHeld = false;
    };
  };
}
