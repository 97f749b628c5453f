import type { EndpointAnswer } from '../../adapters/endpoint/endpoint-client.ts';
import type { WebhookPayload } from '../../jobs/definitions.ts';
import { cancelDelivery, type DeliverContext, deliver } from './deliver.ts';
import type { DeliveryQueue, TakenDelivery } from './delivery-queue.ts';
import type { Slot } from './request-budget.ts';
import type { SecretKeeper } from './webhook-secret.ts';
import { hostAndPort } from './webhook-target.ts';

const WINDOW = 20; // concurrent requests to one webhook; retries that fall due may exceed it
const WINDOW_AFTER_TIMEOUT = 4; // each holds a connection for five seconds; enough to notice that the endpoint is back
const FIRST_SLOTS = 4; // slots acquired before the first take, withheld from other senders; four times as many after a full take
const MAX_OPEN = 200; // deliveries, including those that wait for their next attempt and hold no connection
const SLICE_MS = 60_000; // then the webhook goes back to the queue, so that workers started later get a share
const MAX_EMPTY_TAKES = 4; // within a second: waiting for more deliveries costs less than the job of a new sender
const SLOW_MS = 1_000;

export interface SenderContext extends Omit<DeliverContext, 'signal' | 'onRequest' | 'onAnswer'> {
  queue: DeliveryQueue;
  secrets: SecretKeeper;
  /** Open deliveries of this process. Above `most`, each sender continues with one at a time. */
  load: { open: number; most: number };
  /** Whether the pool has places to spare for a sender that waits for more deliveries. */
  mayLinger(): boolean;
}

export interface WebhookSender {
  /** A response took long: this sender occupies its place for long. */
  readonly isSlow: boolean;
  readonly isFailing: boolean;
  /** Makes the sender look for deliveries again. */
  wake(): void;
  /** Finishes the requests under way and takes no more deliveries. */
  stop(): void;
  /** Resolves when no delivery is open any more; rejects when the database failed. */
  done: Promise<void>;
}

/**
 * Sends one webhook its pending deliveries until there are none. Concurrently: no order is guaranteed. Deliveries of older
 * events only when the job says that there are some: looking for them in every day that is kept takes longer.
 */
export function startSender(
  context: SenderContext,
  { accountId, webhookId, hasOlder = false }: WebhookPayload,
): WebhookSender {
  const webhook = { accountId, webhookId };
  const open = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const noMore = AbortSignal.any([stopping.signal, AbortSignal.timeout(SLICE_MS)]); // nothing is taken after it
  let host: string | null = null;
  let window = WINDOW;
  let requests = 0;
  let isSlow = false;
  let isFailing = false;
  let isFull = false; // the last take reached its limit: more deliveries may be pending
  let failure: unknown;
  let opened: { sealed: Buffer; secret: string } | undefined;
  let wake = () => {};

  const delivering: DeliverContext = { ...context, signal: stopping.signal, onRequest: () => requests++, onAnswer };
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
    let emptyTakes = 0; // in a row
    let want = FIRST_SLOTS;
    setHost(await context.queue.findTarget(webhook));
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const capacity = freeCapacity();
      // Slots before deliveries: a delivery that waits for its host has no attempt reserved, so a kill costs it none.
      const asked = Math.min(want, capacity);
      const slots = asked > 0 && host !== null ? await context.budget.acquire(webhook, host, asked, noMore) : [];
      const most = host === null ? capacity : slots.length;
      const taken = most > 0 ? await take(most) : [];
      for (const delivery of taken) start(delivery, (delivery.isReserved && slots.pop()) || null);
      for (const slot of slots) slot.release();
      emptyTakes = open.size === 0 ? emptyTakes + 1 : 0;
      if (emptyTakes > 0 && (emptyTakes > MAX_EMPTY_TAKES || capacity <= 0 || !context.mayLinger())) break;
      isFull = taken.length >= most;
      want = isFull ? Math.min(want * 4, WINDOW) : FIRST_SLOTS;
      if (!isFull || capacity <= 0) await woken;
    }
    if (failure) throw failure;
  }

  function freeCapacity(): number {
    if (noMore.aborted || failure) return 0;
    if (context.load.open >= context.load.most) return 1 - open.size;
    return Math.min(window - requests, MAX_OPEN - open.size);
  }

  async function take(limit: number): Promise<TakenDelivery[]> {
    try {
      const request = { ...webhook, busy: [...open.keys()], limit };
      const taken = await (hasOlder ? context.queue.takeOfAnyAge(request) : context.queue.take(request));
      if (taken[0]) setHost(taken[0].url);
      return taken;
    } catch (error) {
      failure = error;
      return [];
    }
  }

  function setHost(url: string | null): void {
    host = url === null ? null : hostAndPort(url);
  }

  function start(taken: TakenDelivery, slot: Slot | null): void {
    const work = send(taken, slot)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        slot?.release(); // has no effect on a slot that was used
        open.delete(taken.eventId);
        context.load.open--;
        // With nothing left to take, the pool's next poll finds what came meanwhile.
        if (isFull || failure || (open.size === 0 && !context.mayLinger())) wake();
      });
    open.set(taken.eventId, work);
    context.load.open++;
  }

  async function send(taken: TakenDelivery, slot: Slot | null): Promise<void> {
    const { url } = taken;
    if (url === null) return void (await cancelDelivery(delivering, taken));
    const settled = await deliver(delivering, { ...taken, url }, openSecret(taken), slot);
    if (settled === null) return;
    const fails = settled === 'dropped';
    const hasChanged = fails !== isFailing || fails !== taken.isFailing; // resuming a webhook also clears its mark
    isFailing = fails;
    if (hasChanged) await context.attempts.markFailing(webhook, fails);
  }

  /** Decrypts again only when the sealed secret has changed. */
  function openSecret({ secretKey: key, sealedSecret: sealed }: TakenDelivery): string {
    if (!opened?.sealed.equals(sealed)) opened = { sealed, secret: context.secrets.open(webhook, { key, sealed }) };
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
