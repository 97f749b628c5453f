import { createStore } from '../state/store.ts';

/** The service worker of a new version: installed and waiting, or activated by another tab. */
export const updateStore = createStore<ServiceWorker | null>(null);

const LOOK_EVERY_MS = 30 * 60_000; // an app that stays open for days still notices

let isAsked = false;

/** Registers the service worker. A new version is offered, never forced (updateStore). */
export async function registerWorker(): Promise<void> {
  if (!navigator.serviceWorker || import.meta.env.DEV) return;
  const registration = await navigator.serviceWorker.register('/driver/service-worker.js', { scope: '/driver/' });
  const offer = () => {
    if (registration.waiting && navigator.serviceWorker.controller) updateStore.set(registration.waiting);
  };
  offer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
  // Only in the tab in which the driver asked for it: another one may be in the middle of a delivery.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
  });
  setInterval(() => void registration.update().catch(() => {}), LOOK_EVERY_MS);
}

export function installUpdate(): void {
  const worker = updateStore.get();
  isAsked = true;
  if (worker?.state === 'installed') worker.postMessage('skip-waiting');
  else location.reload(); // another tab has installed it
}
