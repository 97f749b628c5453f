import type { MapBox, MovingDrivers } from '@navette/contract';
import { CONSOLE_NAMESPACE, DRIVERS_MOVED, SHOW_AREA } from '@navette/contract/console-map-channel';
import { DRIVER_SOCKET_PATH } from '@navette/contract/driver-routes';
import { useEffect, useRef, useState } from 'react';
import { io, type Socket } from 'socket.io-client';

/** `unknown`: connected, but the service cannot read positions. */
export type LiveState = 'connecting' | 'live' | 'unknown' | 'lost';

const RETRY_MS = 5_000; // after a refusal, which Socket.IO does not repeat by itself

/** Positions of the drivers in the visible area, as the server sends them. */
export function useMovingDrivers(area: MapBox | null): { state: LiveState; moved: MovingDrivers | null } {
  const [state, setState] = useState<LiveState>('connecting');
  const [moved, setMoved] = useState<MovingDrivers | null>(null);
  const shown = useRef<MapBox | null>(area);
  const connected = useRef<Socket | null>(null);

  useEffect(() => {
    const socket = io(CONSOLE_NAMESPACE, {
      path: DRIVER_SOCKET_PATH,
      transports: ['websocket'],
      reconnectionDelayMax: RETRY_MS,
    });
    connected.current = socket;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const lose = () => {
      setState('lost');
      if (socket.active) return;
      clearTimeout(retry);
      retry = setTimeout(() => socket.connect(), RETRY_MS);
    };
    socket.on('connect', () => shown.current && socket.emit(SHOW_AREA, shown.current));
    socket.on('disconnect', lose);
    socket.on('connect_error', lose);
    socket.on(DRIVERS_MOVED, (next: MovingDrivers) => {
      setState(next.known ? 'live' : 'unknown');
      if (next.known) setMoved(next);
    });
    return () => {
      clearTimeout(retry);
      socket.close();
    };
  }, []);

  useEffect(() => {
    shown.current = area;
    if (area && connected.current?.connected) connected.current.emit(SHOW_AREA, area);
  }, [area]);

  return { state, moved };
}
