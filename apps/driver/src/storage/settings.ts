import { createStore } from '../state/store.ts';

export type NavigationApp = 'google' | 'waze' | 'apple' | 'geo';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  textSize: 100 | 125 | 150 | 200;
  sound: boolean;
  /** Null: asked each time. */
  navigation: NavigationApp | null;
  wakeLock: boolean;
  /** The first start's questions were answered. */
  isPrepared: boolean;
}

const KEY = 'navette-driver-settings';
const DEFAULTS: Settings = {
  theme: 'auto',
  textSize: 100,
  sound: true,
  navigation: null,
  wakeLock: true,
  isPrepared: false,
};

export const settingsStore = createStore<Settings>({ ...DEFAULTS, ...readStored() });

export function changeSettings(change: Partial<Settings>): void {
  settingsStore.set({ ...settingsStore.get(), ...change });
  localStorage.setItem(KEY, JSON.stringify(settingsStore.get()));
  applySettings();
}

/** Theme and text size apply to the whole document. */
export function applySettings(): void {
  const { theme, textSize } = settingsStore.get();
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.textSize = String(textSize);
}

function readStored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}
