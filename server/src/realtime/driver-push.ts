import type { DriverPush } from '@navette/contract';
import { Server } from 'socket.io';
import type { Config } from '../config.ts';
import { createSocketAdapter, driverRoom } from './socket-adapter.ts';

export interface DriverPusher {
  /** Fails while pushes cannot reach the sockets of other processes. */
  send(driverId: string, push: DriverPush, payload: object): Promise<void>;
  close(): void;
}

/** For a process without sockets, such as a worker: pushes to drivers through the sockets of the api processes. */
export function createDriverPush(config: Config): DriverPusher {
  const sockets = createSocketAdapter(config);
  const io = new Server(sockets.adapter ? { adapter: sockets.adapter } : {});
  return {
    async send(driverId, push, payload) {
      await sockets.check(); // the adapter reports no failure of its own
      io.to(driverRoom(driverId)).emit(push, payload);
    },
    close() {
      void io.of('/').adapter.close();
      sockets.close();
    },
  };
}
