import type { DriverPush } from '@navette/contract';
import { socketQueryOf } from '@navette/contract/cells';
import { DRIVER_SOCKET_PATH } from '@navette/contract/driver-routes';
import type { Socket } from 'socket.io-client';
import { createStore } from '../state/store.ts';

export const connectedStore = createStore(false);

let socket: Socket | null = null;
let wanted: string | null = null;

/** Connects for pushes only: commands go over HTTP, because commands over the socket send merchants no webhooks. */
export async function connectSocket(token: string, onPush: (push: DriverPush) => void): Promise<void> {
  if (wanted === token) return;
  disconnectSocket();
  wanted = token;
  const { io } = await import('socket.io-client').catch(() => ({ io: null })); // offline before the first visit ended
  if (!io || wanted !== token) {
    if (wanted === token) wanted = null; // the next attempt loads it again
    return;
  }
  const query = socketQueryOf(token);
  socket = io({ path: DRIVER_SOCKET_PATH, query, auth: { token }, reconnectionDelayMax: 15_000 });
  socket.on('connect', () => connectedStore.set(true));
  socket.on('disconnect', () => connectedStore.set(false));
  socket.onAny((push: DriverPush) => onPush(push));
}

export function disconnectSocket(): void {
  wanted = null;
  socket?.disconnect();
  socket = null;
  connectedStore.set(false);
}
