import { setTimeout } from 'node:timers/promises';
import type { FakeMailbox } from '../../server/test/fake-mailbox.ts';
import type { FakeTwilio } from '../../server/test/fake-twilio.ts';
import type { Chance } from './chance.ts';

/** One way to disturb the service. */
export interface Fault {
  name: string;
  /** Resolves when the next fault may follow; the service may still be recovering. */
  strike(): Promise<void>;
}

/** One fault every so many milliseconds, in the order given, until the signal. */
export async function strikeWith(
  faults: Iterable<Fault>,
  everyMs: number,
  signal: AbortSignal,
  onStrike: (name: string) => void,
): Promise<void> {
  for (const fault of faults) {
    await setTimeout(everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    onStrike(fault.name);
    await fault.strike();
  }
}

export function* inTurn(faults: readonly Fault[]): Iterable<Fault> {
  for (;;) yield* faults;
}

/** Every fault once per round, each round in another order. */
export function* inAnyOrder(faults: readonly Fault[], chance: Chance): Iterable<Fault> {
  for (;;) yield* chance.shuffled(faults);
}

/**
 * Outages that end by themselves. Endpoints of merchants always answer: a delivery has three attempts, and a killed worker
 * may use up two of them.
 */
export const providerFaults = (twilio: FakeTwilio, mailbox: FakeMailbox): Fault[] => [
  {
    name: 'the SMS carrier breaks off and refuses',
    strike: async () => twilio.answerWith('accept-and-hang-up', 'hang-up', { status: 503 }, 'accept-and-hang-up'),
  },
  {
    name: 'the mail relay breaks off and refuses',
    strike: async () => mailbox.answerWith('accept-and-hang-up', { code: 451, at: 'data' }, { code: 421, at: 'rcpt' }),
  },
];
