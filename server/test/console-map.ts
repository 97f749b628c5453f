import {
  CONSOLE_NAMESPACE,
  DRIVER_SOCKET_PATH,
  DRIVERS_MOVED,
  type MapBox,
  type MovingDrivers,
  SHOW_AREA,
} from '@navette/contract';
import { io, type Socket } from 'socket.io-client';

export interface OpenMap {
  socket: Socket;
  /** Everything received so far, with the time of arrival. */
  received: { at: number; moved: MovingDrivers }[];
  show(area: unknown): void;
  close(): void;
}

/** A map of the console over its socket. Rejects when the server refuses it. */
export async function openMap(url: string, headers: Record<string, string>, area?: MapBox): Promise<OpenMap> {
  const socket = io(`${url}${CONSOLE_NAMESPACE}`, {
    path: DRIVER_SOCKET_PATH,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: headers,
  });
  const received: OpenMap['received'] = [];
  socket.on(DRIVERS_MOVED, (moved: MovingDrivers) => received.push({ at: performance.now(), moved }));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('connect_error', (error) => {
      socket.close();
      reject(error);
    });
  });
  const show = (shown: unknown) => void socket.emit(SHOW_AREA, shown);
  if (area) show(area);
  return { socket, received, show, close: () => socket.close() };
}
