import type { Config } from '../../config.ts';
import { BudgetScope, type ScopeLimits } from './budget-scope.ts';
import type { WebhookRef } from './webhook-secret.ts';

/** An account's limit over all hosts, as a multiple of the limit per host: many names may lead to one machine. */
const HOSTS_PER_ACCOUNT = 2;
/** A host's limit over all accounts, as a multiple of the limit per account. */
const ACCOUNTS_PER_HOST = 10;
const RETRY_MS = 20; // for waiters that the rate per second holds back
const CLEAN_UP_EVERY_MS = 60_000;

/** Permission for one request. The first call of `finish` or `release` ends it. */
export interface Slot {
  /** The host that the request may go to. */
  host: string;
  /** After a request: it was answered or given up. */
  finish(): void;
  /** Without a request: returns the slot unused. */
  release(): void;
}

export interface RequestBudget {
  /** Waits for its turn. Returns one to `want` slots, or none when the signal is aborted first. */
  acquire(webhook: WebhookRef, host: string, want: number, signal: AbortSignal): Promise<Slot[]>;
  /** How many calls wait for their turn. */
  waiting: () => number;
}

interface Waiter extends WebhookRef {
  host: string;
  want: number;
  /** Every scope that must have room for the request, the multiple of its limits, and the holder within it. */
  counts: [scope: string, times: number, holder: string][];
  slots: Slot[];
  resolve: (slots: Slot[]) => void;
}

/**
 * Limits the requests of this process by account and host. Waiting accounts take turns, and so do the webhooks of each
 * account: no flood of one delays the others. See docs/decisions/webhook-budgets.md.
 */
export function createRequestBudget(
  { inFlight, perSecond }: Config['webhookHost'],
  now: () => number = () => performance.now(),
): RequestBudget {
  const scopes = new Map<string, BudgetScope>();
  const queues = new Map<string, Map<string, Waiter[]>>(); // by account, then by webhook, in the order of their turns
  let cleanedUpAt = now();
  let timer: NodeJS.Timeout | undefined;

  function scope(name: string, times: number): BudgetScope {
    const known = scopes.get(name);
    if (known) return known;
    if (now() - cleanedUpAt > CLEAN_UP_EVERY_MS) deleteIdleScopes();
    const limits: ScopeLimits = { inFlight: inFlight * times, perSecond: perSecond * times };
    const created = new BudgetScope(limits, now);
    scopes.set(name, created);
    return created;
  }

  function deleteIdleScopes(): void {
    cleanedUpAt = now();
    for (const [name, known] of scopes) if (known.isIdle()) scopes.delete(name);
  }

  function createSlot({ host, counts }: Waiter): Slot {
    const shares = counts.map(([name, times, holder]) => ({ scope: scope(name, times), holder }));
    for (const { scope, holder } of shares) scope.begin(holder);
    let isOver = false;
    const end = (wasSent: boolean) => {
      if (isOver) return;
      isOver = true;
      for (const { scope, holder } of shares) scope.end(holder, wasSent);
      grant();
    };
    return { host, finish: () => end(true), release: () => end(false) };
  }

  /** Gives one slot to each account in turn, until no account can get one. */
  function grant(): void {
    const granted = new Set<Waiter>();
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const [accountId, webhooks] of [...queues]) {
        const waiter = nextOf(webhooks);
        if (!waiter) continue;
        isDone = false;
        granted.add(waiter);
        waiter.slots.push(createSlot(waiter));
        moveToEnd(queues, accountId, webhooks);
      }
    }
    for (const waiter of granted) leave(waiter);
    clearTimeout(timer);
    if (queues.size > 0) timer = setTimeout(grant, RETRY_MS);
    for (const { resolve, slots } of granted) resolve(slots);
  }

  /** The first waiter that there is room for, starting with the webhook whose turn it is. */
  function nextOf(webhooks: Map<string, Waiter[]>): Waiter | undefined {
    for (const [webhookId, waiters] of webhooks) {
      const waiter = waiters.find(({ slots, want }) => slots.length < want);
      if (!waiter?.counts.every(([name, times, holder]) => scope(name, times).hasRoomFor(holder))) continue;
      moveToEnd(webhooks, webhookId, waiters);
      return waiter;
    }
    return undefined;
  }

  function join(waiter: Waiter): void {
    const webhooks = queues.get(waiter.accountId) ?? new Map<string, Waiter[]>();
    queues.set(waiter.accountId, webhooks);
    const waiters = webhooks.get(waiter.webhookId);
    if (waiters) waiters.push(waiter);
    else webhooks.set(waiter.webhookId, [waiter]);
  }

  function leave(waiter: Waiter): void {
    const webhooks = queues.get(waiter.accountId);
    const waiters = webhooks?.get(waiter.webhookId);
    if (!webhooks || !waiters) return;
    waiters.splice(waiters.indexOf(waiter), 1);
    if (waiters.length === 0) webhooks.delete(waiter.webhookId);
    if (webhooks.size === 0) queues.delete(waiter.accountId);
  }

  return {
    acquire({ accountId, webhookId }, host, want, signal) {
      if (signal.aborted) return Promise.resolve([]);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          ...{ accountId, webhookId, host, want },
          counts: [
            [`account ${accountId}`, HOSTS_PER_ACCOUNT, host],
            [`account ${accountId} at ${host}`, 1, webhookId],
            [`host ${host}`, ACCOUNTS_PER_HOST, accountId],
          ],
          slots: [],
          resolve(slots) {
            signal.removeEventListener('abort', giveUp);
            resolve(slots);
          },
        };
        const giveUp = () => {
          leave(waiter);
          waiter.resolve([]);
        };
        signal.addEventListener('abort', giveUp);
        join(waiter);
        grant();
      });
    },
    waiting: () => [...queues.values()].flatMap((webhooks) => [...webhooks.values()].flat()).length,
  };
}

/** A Map iterates in the order of insertion. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
