/**
 * Makes the app work without network: stores its files, answers navigation from them, sends the outbox when the browser
 * reports network (Background Sync), and shows pushes. A new version waits until the driver asks for it.
 */
import type { DriverPushMessage } from '@navette/contract';
import { setToken, startClock } from '../src/api/call.ts';
import { makeDue, readOutbox } from '../src/outbox/outbox-storage.ts';
import { nextAttemptOf } from '../src/outbox/queue.ts';
import { sendOutbox } from '../src/outbox/send-outbox.ts';
import { readKept, writeKept } from '../src/storage/database.ts';
import { showPush } from './pushes.ts';

declare const self: ServiceWorkerGlobalScope;
/** Files of this version, and a hash of all of them; the build fills them in. */
declare const __FILES__: string[];
declare const __VERSION__: string;

interface SyncEvent extends ExtendableEvent {
  tag: string;
}

const SHELL = '/driver/';
const CACHE = `navette-driver-${__VERSION__}`;
const OF_THE_SERVER = /^\/driver\/(api|socket\.io|docs|openapi\.json)/;

self.addEventListener('install', (event) => event.waitUntil(store()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', ({ data }) => {
  if (data === 'skip-waiting') void self.skipWaiting();
});

async function store(): Promise<void> {
  const cache = await caches.open(CACHE);
  // `reload` bypasses the browser's own cache, which may hold an older version.
  await cache.addAll([SHELL, ...__FILES__].map((url) => new Request(url, { cache: 'reload' })));
}

async function takeOver(): Promise<void> {
  const [names, windows] = await Promise.all([caches.keys(), appWindows()]);
  const others = names.filter((name) => name.startsWith('navette-driver-') && name !== CACHE);
  // A second tab still runs the version before, and may need a page of it. The next version deletes both.
  if (windows.length <= 1) await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Windows of the app: other pages of this host, such as a merchant's dashboard, are not. */
async function appWindows(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => {
    const { pathname } = new URL(url);
    return pathname.startsWith(SHELL) && !OF_THE_SERVER.test(pathname);
  });
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || OF_THE_SERVER.test(pathname)) return;
  if (request.mode === 'navigate') event.respondWith(answerFromCache(SHELL, request));
  else if (pathname.startsWith('/driver/')) event.respondWith(answerFromCache(pathname, request));
});

/** Pages and files of the version that is active: they always fit together. */
async function answerFromCache(key: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const stored = (await cache.match(key)) ?? (await caches.match(key)); // of the version before: names contain a hash
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok && key.startsWith('/driver/assets/')) await cache.put(key, response.clone());
  return response;
}

self.addEventListener('sync', ((event: SyncEvent) => {
  if (event.tag === 'outbox') event.waitUntil(sendStored());
}) as EventListener);

/**
 * Sends what waits while the app is closed: all of it, because the browser reports network, and no timer runs here. Fails
 * while something is left, so that the browser reports again.
 */
async function sendStored(): Promise<void> {
  const [session, skew] = await Promise.all([readKept('session'), readKept('skew')]);
  if (!session) return;
  const driverId = session.driver.id;
  setToken(session.token);
  startClock(skew ?? null, (measured) => void writeKept('skew', measured));
  await makeDue(driverId, Date.now());
  if ((await sendOutbox(driverId)) === 'signed-out') return; // kept until the next sign-in
  if (nextAttemptOf(await readOutbox(driverId)) !== null) throw new Error('some commands are not sent yet');
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showPush(self, event.data.json() as DriverPushMessage));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage((event.notification.data as { path: string }).path));
});

/** Brings the open app to the page, or opens it there. */
async function openPage(path: string): Promise<void> {
  const [client] = await appWindows();
  if (!client) {
    await self.clients.openWindow(`/driver${path}`);
    return;
  }
  client.postMessage({ open: path });
  await client.focus();
}
