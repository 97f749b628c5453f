import type { EventEmitter } from 'node:events';
import { EVENT_FEED } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/database.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import { readFeedStates } from './read-feed.ts';

const LOOK_EVERY_MS = 500;
const MOST_WAITING = 2_000; // pulls in this process: one statement looks for all of them

interface Waiting {
  accountId: string;
  after: number;
  wake: () => void;
}

export interface FeedWatcher {
  /** Waits until the account has an event after this position, the time has passed, or the client is gone. */
  wait(accountId: string, after: number, forMs: number, client: EventEmitter): Promise<void>;
  /** Ends all waits: their requests are answered, and the process can stop. */
  stop(): void;
}

/** Looks twice a second for all waiting pulls of this process at once. It makes no statement while none waits. */
export function createFeedWatcher(db: Database, log: FastifyBaseLogger): FeedWatcher {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    try {
      const states = await readFeedStates(db, [...new Set([...waiting].map(({ accountId }) => accountId))]);
      const byAccount = new Map(states.map((state) => [state.accountId, state]));
      for (const { accountId, after, wake } of waiting) {
        const state = byAccount.get(accountId);
        if (!state || state.isBehind || state.end > after) wake();
      }
    } catch (error) {
      log.warn({ err: error }, 'the event feed could not look for new events'); // the waits end at their time
    }
    timer = undefined;
    lookLater();
  }

  function lookLater(): void {
    if (waiting.size > 0 && !timer && !isStopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  function admit(accountId: string): void {
    const own = [...waiting].filter((one) => one.accountId === accountId).length;
    if (own >= EVENT_FEED.mostWaiting || waiting.size >= MOST_WAITING) refuseAsTooMany('minute');
  }

  return {
    async wait(accountId, after, forMs, client) {
      if (isStopped) return;
      admit(accountId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const entry = { accountId, after, wake };
      const timeout = setTimeout(wake, forMs);
      client.once('close', wake);
      waiting.add(entry);
      lookLater();
      await promise;
      waiting.delete(entry);
      clearTimeout(timeout);
      client.off('close', wake);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const { wake } of waiting) wake();
    },
  };
}
