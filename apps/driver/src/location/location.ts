import { call } from '../api/call.ts';
import { createStore } from '../state/store.ts';
import { type Fix, shouldSend } from './send-rule.ts';

export interface LocationState {
  /** `off`: not needed; `on`: positions are sent; `denied`: not allowed, or not found. */
  status: 'off' | 'on' | 'denied';
  fix: Fix | null;
}

export const locationStore = createStore<LocationState>({ status: 'off', fix: null });

const TICK_MS = 5_000;
let watch: number | null = null;
let ticking: ReturnType<typeof setInterval> | undefined;
let last: { place: Fix; at: number } | null = null;

/** Positions are sent only while the driver is available or carries a parcel; the screen shows it all the time. */
export function followLocation(isNeeded: boolean): void {
  if (isNeeded === (watch !== null)) return;
  if (!isNeeded) stop();
  else if (!navigator.geolocation) locationStore.set({ status: 'denied', fix: null });
  else startWatch();
}

function startWatch(): void {
  watch = navigator.geolocation.watchPosition(
    ({ coords: { latitude, longitude, accuracy } }) => {
      locationStore.set({ status: 'on', fix: { latitude, longitude, accuracy, at: Date.now() } });
      void sendIfDue();
    },
    ({ code }) => {
      // A timeout in a cellar is no refusal: the last position stays.
      if (code === GeolocationPositionError.PERMISSION_DENIED) {
        stop();
        locationStore.set({ status: 'denied', fix: null });
      }
    },
    { enableHighAccuracy: true, maximumAge: TICK_MS },
  );
  ticking = setInterval(() => void sendIfDue(), TICK_MS);
}

function stop(): void {
  if (watch !== null) navigator.geolocation.clearWatch(watch);
  clearInterval(ticking);
  watch = null;
  last = null;
  locationStore.set({ ...locationStore.get(), status: 'off' });
}

async function sendIfDue(): Promise<void> {
  const { fix } = locationStore.get();
  if (watch === null || !fix || !shouldSend(last, fix, Date.now())) return;
  const before = last;
  last = { place: fix, at: Date.now() };
  const { latitude, longitude } = fix;
  await call('sendPosition', { body: { latitude, longitude } }).catch(() => {
    last = before; // offline: the next tick sends the position of then
  });
}
