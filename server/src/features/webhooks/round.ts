import type { EndpointAnswer } from '../../adapters/endpoint/endpoint-client.ts';
import { cancelDelivery, type Delivering, deliver } from './deliver.ts';
import type { TakenDelivery } from './delivery-store.ts';
import type { SecretKeeper, WebhookRef } from './webhook-secret.ts';

const WINDOW = 20; // requests to one webhook at a time, wherever it is served; what is due again goes beyond
const WINDOW_AFTER_TIMEOUT = 4; // each holds a connection for five seconds; enough to notice that it is back
const MOST_IN_HAND = 200; // with those that wait for their next attempt, which cost nothing but their place
const SLICE_MS = 60_000; // then the round is handed over, so that work spreads over workers that came later
const MOST_LOOKS = 4; // a second: more may come, and waiting for it costs less than the job of a new round
const SLOW_MS = 1_000;

export interface RoundTools extends Omit<Delivering, 'signal' | 'onRequest' | 'onAnswer'> {
  secrets: SecretKeeper;
  /** Deliveries in hand in this process; with more than `most`, each round goes on with one at a time. */
  load: { inHand: number; most: number };
  /** Whether there are places enough to keep one a little longer. */
  mayLinger(): boolean;
  markFailing(webhook: WebhookRef, isFailing: boolean): Promise<void>;
}

export interface Round {
  /** An answer took long in this round: it holds its place for long. */
  readonly isSlow: boolean;
  readonly isFailing: boolean;
  /** Look again: something may have been added. */
  wake(): void;
  /** Finish the requests under way and nothing more. */
  stop(): void;
  /** Fulfilled when nothing is in hand any more; rejected when the database failed it. */
  done: Promise<void>;
}

/** Serves one webhook until nothing is pending for it. Several deliveries at a time, in no promised order. */
export function startRound(tools: RoundTools, webhook: WebhookRef): Round {
  const inHand = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const deadline = performance.now() + SLICE_MS;
  let window = WINDOW;
  let requests = 0;
  let isSlow = false;
  let isFailing = false;
  let isFull = false; // there may be more than was taken
  let failure: unknown;
  let opened: { sealed: Buffer; secret: string } | undefined;
  let wake = () => {};

  const delivering: Delivering = { ...tools, signal: stopping.signal, onRequest: () => requests++, onAnswer };
  const done = run();
  return {
    get isSlow() {
      return isSlow;
    },
    get isFailing() {
      return isFailing;
    },
    wake: () => wake(),
    stop() {
      stopping.abort();
      wake();
    },
    done,
  };

  async function run(): Promise<void> {
    let looks = 0; // in vain, one after the other
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const room = roomLeft();
      const taken = room > 0 ? await take(room) : [];
      for (const delivery of taken) start(delivery);
      looks = inHand.size === 0 ? looks + 1 : 0;
      if (looks > 0 && (looks > MOST_LOOKS || room <= 0 || !tools.mayLinger())) break;
      isFull = taken.length >= room;
      if (!isFull || room <= 0) await woken;
    }
    if (failure) throw failure;
  }

  function roomLeft(): number {
    if (stopping.signal.aborted || failure || performance.now() > deadline) return 0;
    if (tools.load.inHand >= tools.load.most) return 1 - inHand.size;
    return Math.min(window - requests, MOST_IN_HAND - inHand.size);
  }

  async function take(room: number): Promise<TakenDelivery[]> {
    try {
      return await tools.store.take({ ...webhook, busy: [...inHand.keys()], room });
    } catch (error) {
      failure = error;
      return [];
    }
  }

  function start(taken: TakenDelivery): void {
    const work = serve(taken)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        inHand.delete(taken.eventId);
        tools.load.inHand--;
        if (isFull || inHand.size === 0) wake();
      });
    inHand.set(taken.eventId, work);
    tools.load.inHand++;
  }

  async function serve(taken: TakenDelivery): Promise<void> {
    if (taken.url === null) return void (await cancelDelivery(delivering, taken));
    const settled = await deliver(delivering, taken, openSecret(taken));
    if (settled === null) return;
    const wasFailing = isFailing || taken.isFailing;
    isFailing = settled === 'dropped';
    if (isFailing !== wasFailing) await tools.markFailing(webhook, isFailing);
  }

  /** Opened once, as long as it stays the same. */
  function openSecret({ secretKey: key, sealedSecret: sealed }: TakenDelivery): string {
    if (!opened?.sealed.equals(sealed)) opened = { sealed, secret: tools.secrets.open(webhook, { key, sealed }) };
    return opened.secret;
  }

  function onAnswer({ error, durationMs }: EndpointAnswer): void {
    requests--;
    if (isFull) wake();
    if (error === null) window = WINDOW;
    else if (durationMs > SLOW_MS) window = WINDOW_AFTER_TIMEOUT;
    if (durationMs > SLOW_MS) isSlow = true;
  }
}
