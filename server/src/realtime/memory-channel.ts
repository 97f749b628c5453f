import type { Server } from 'socket.io';
import type { DriverPusher } from './driver-push.ts';
import { driverRoom, type SocketAdapter } from './socket-adapter.ts';

/** Both roles in one process: pushes of the worker go to the socket server of the api role. */
export function createMemoryChannel(): { sockets: SocketAdapter; driverPush: DriverPusher } {
  let server: Server | undefined;
  return {
    sockets: {
      attach(io) {
        server = io;
      },
      check: async () => {},
      close() {
        server = undefined;
      },
    },
    driverPush: {
      async send(driverId, push, payload) {
        server?.to(driverRoom(driverId)).emit(push, payload);
      },
      close() {},
    },
  };
}
