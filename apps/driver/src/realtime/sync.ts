import { ApiError } from '@navette/ui/api-error';
import { whenSignedOut } from '../api/call.ts';
import { refreshOffers } from '../offers/offers.ts';
import { reloadOutbox, requestSync, sendNow, startSending } from '../outbox/outbox.ts';
import { refreshRuns, reloadRuns } from '../runs/runs.ts';
import { endSession, refreshSession, sessionStore } from '../session/session.ts';
import { createStore } from '../state/store.ts';
import { connectedStore, connectSocket, disconnectSocket } from './socket.ts';

const POLL_MS = 15_000; // without the socket: half of the time that an offer lasts
const CONNECTED_POLL_MS = 60_000; // with it: in case a push was missed
const SESSION_EVERY = 20; // polls: keys and the operator's number change rarely

/** Whether the last request reached the server. The browser's own flag is true in a tunnel with a weak signal. */
export const reachableStore = createStore(navigator.onLine);

/** Whether the runs were read since the app was opened, or could not be. */
export const syncedStore = createStore(false);

let timer: ReturnType<typeof setTimeout> | undefined;
let polls = 0;
let refreshing: Promise<void> | undefined;

/** Keeps this phone and the server in step while somebody is signed in. */
export function startSync(): void {
  whenSignedOut(() => void endSession());
  let token: string | null = null;
  const follow = () => {
    const next = sessionStore.get()?.token ?? null;
    if (next === token) return;
    token = next;
    polls = 0;
    void reloadOutbox().then(reloadRuns).then(refresh);
    if (next === null) disconnectSocket();
  };
  sessionStore.subscribe(follow);
  follow();
  addEventListener('online', () => void sendNow().then(refresh));
  addEventListener('offline', () => reachableStore.set(false));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void sendNow().then(refresh);
    else void requestSync(); // the app may be closed next, also while a request has no answer yet
  });
  connectedStore.subscribe(() => void refreshAfterPush()); // pushes before the connection were not received
}

/** Reads offers and runs, and sends what is due. Failures are expected: the next poll tries again. */
export function refresh(): Promise<void> {
  refreshing ??= readAll().finally(() => {
    refreshing = undefined;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), connectedStore.get() ? CONNECTED_POLL_MS : POLL_MS);
  });
  return refreshing;
}

async function readAll(): Promise<void> {
  const session = sessionStore.get();
  if (!session) return;
  startSending();
  try {
    await Promise.all([refreshRuns(), refreshOffers(), ...(polls++ % SESSION_EVERY === 0 ? [refreshSession()] : [])]);
    if (!reachableStore.get()) await sendNow(); // the network is back, and nobody announced it
    reachableStore.set(navigator.onLine);
    await connectSocket(session.token, () => void refreshAfterPush());
  } catch (error) {
    const isReached = error instanceof ApiError && error.status !== 0;
    reachableStore.set(isReached && navigator.onLine);
  } finally {
    syncedStore.set(true);
  }
}

/** A push or connection during a refresh: the responses on their way may be older. */
export async function refreshAfterPush(): Promise<void> {
  await refreshing;
  await refresh();
}
