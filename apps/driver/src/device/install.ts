import { createStore } from '../state/store.ts';

/** The browser's offer to install the app; null where there is none, as on iPhones. */
export const installStore = createStore<BeforeInstallPromptEvent | null>(null);

export function watchInstallation(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // the first start's page asks at the right time
    installStore.set(event as BeforeInstallPromptEvent);
  });
  addEventListener('appinstalled', () => installStore.set(null));
}

export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;

export const isIos = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent);
