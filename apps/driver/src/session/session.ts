import { ApiError } from '@navette/ui/api-error';
import { call, request, setToken, startClock } from '../api/call.ts';
import type { ClockSkew } from '../clock/server-clock.ts';
import { createStore } from '../state/store.ts';
import { announce, onAnnouncement } from '../storage/announcements.ts';
import { readKept, removeKept, type SavedSession, writeKept } from '../storage/database.ts';

export const sessionStore = createStore<SavedSession | null>(null);
/** True after the server has refused the token: the sign-in page says why it is shown. */
export const endedStore = createStore(false);
export const skewStore = createStore<ClockSkew | null>(null);

/** Reads the stored session: the app starts without network. */
export async function loadSession(): Promise<void> {
  const [session, skew] = await Promise.all([readKept('session'), readKept('skew')]);
  skewStore.set(skew ?? null);
  startClock(skew ?? null, (measured) => {
    skewStore.set(measured);
    void writeKept('skew', measured);
  });
  enter(session ?? null);
}
onAnnouncement((announcement) => {
  if (announcement === 'session' || announcement === 'runs')
    void readKept('session').then((saved) => enter(saved ?? null));
});

function enter(session: SavedSession | null): void {
  setToken(session?.token ?? null);
  const before = sessionStore.get();
  if (JSON.stringify(before) !== JSON.stringify(session)) sessionStore.set(session);
}

export async function signIn(email: string, password: string): Promise<void> {
  const previousToken = await readKept('previousToken');
  const { token } = await call('createSession', {
    body: { email, password, ...(previousToken ? { previousToken } : {}) },
  });
  await openSession(token);
}

/** Stores a new session with the service's keys and numbers. */
export async function openSession(token: string): Promise<void> {
  setToken(token);
  await readAndStore(token);
  await removeKept('previousToken');
  endedStore.set(false);
  await navigator.storage?.persist?.().catch(() => false); // the outbox must survive a full disk
}

/** Reads the driver, the keys and the operator's number again. */
export async function refreshSession(): Promise<void> {
  const session = sessionStore.get();
  if (session) await readAndStore(session.token);
}

async function readAndStore(token: string): Promise<void> {
  const { success: _success, ...answer } = await call('readSession');
  const session = { token, ...answer };
  await writeKept('session', session);
  enter(session);
  announce('session');
}

/** The server has refused the token. Personal data leaves the phone; the outbox stays until the next sign-in. */
export async function endSession(): Promise<void> {
  const session = sessionStore.get();
  if (!session || !(await isRefused())) return;
  endedStore.set(true);
  await writeKept('previousToken', session.token);
  await forget();
}

/** Asks with the current token: a late response may have refused an earlier one, after the driver signed in again. */
async function isRefused(): Promise<boolean> {
  const response = await request('readSession', {}).catch(() => null);
  return response?.status === 401;
}

export async function signOut(): Promise<void> {
  await call('closeSession').catch((error) => {
    if (!(error instanceof ApiError)) throw error; // offline: the session ends 30 days after its last use
  });
  await forget();
  endedStore.set(false);
}

async function forget(): Promise<void> {
  await removeKept('session', 'runs', 'offers', 'notices', 'order', 'history', 'earnings');
  enter(null);
  announce('session');
  announce('runs');
}
