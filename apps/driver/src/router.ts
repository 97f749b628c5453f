import { createStore, useStore } from './state/store.ts';

const BASE = '/driver';

/** Paths of the app, without its prefix. Some below it belong to the API's reference. */
const pathStore = createStore(currentPath());
addEventListener('popstate', () => pathStore.set(currentPath()));

function currentPath(): string {
  return location.pathname.replace(new RegExp(`^${BASE}`), '').replace(/\/$/, '') || '/';
}

export const usePath = (): string => useStore(pathStore);
export const hrefOf = (path: string): string => `${BASE}${path}`;

export function navigate(path: string, { replace = false } = {}): void {
  if (path === pathStore.get()) return;
  if (replace) history.replaceState(null, '', hrefOf(path));
  else history.pushState(null, '', hrefOf(path));
  scrollTo(0, 0);
  pathStore.set(currentPath());
}
