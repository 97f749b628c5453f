import { useEffect } from 'react';
import { useStore } from '../state/store.ts';
import { settingsStore } from '../storage/settings.ts';

/** Keeps the screen on while the calling page is open, if the driver wants it. The system releases it in the background. */
export function useWakeLock(): void {
  const { wakeLock } = useStore(settingsStore);
  useEffect(() => {
    if (!wakeLock || !navigator.wakeLock) return;
    let lock: WakeLockSentinel | undefined;
    let isClosed = false;
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined); // battery saver
      if (isClosed) await acquired?.release();
      else lock = acquired;
    };
    const renew = () => void acquire();
    renew();
    document.addEventListener('visibilitychange', renew);
    return () => {
      isClosed = true;
      document.removeEventListener('visibilitychange', renew);
      void lock?.release();
    };
  }, [wakeLock]);
}
