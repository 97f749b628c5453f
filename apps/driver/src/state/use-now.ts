import { useEffect, useState } from 'react';
import { currentSkew } from '../api/call.ts';
import { toServerTime } from '../clock/server-clock.ts';

/** The server's time, renewed regularly: countdowns are right even on a phone with a wrong clock. */
export function useNow(everyMs: number): number {
  const read = () => toServerTime(Date.now(), currentSkew()).getTime();
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs);
    return () => clearInterval(timer);
  });
  return now;
}
