import type { DriverPush } from '@navette/contract';
import { Server } from 'socket.io';
import type { Config } from '../config.ts';
import { createChannelAdapter, roomOf } from './driver-channel-adapter.ts';

/** For a process without sockets of its own: speaks to drivers through the sockets of the others. */
export function createDriverVoice(config: Config) {
  const channel = createChannelAdapter(config);
  const io = new Server({ adapter: channel.adapter });
  return {
    async say(driverId: string, push: DriverPush, payload: object): Promise<void> {
      await channel.check(); // the adapter would keep a failure to itself
      io.to(roomOf(driverId)).emit(push, payload);
    },
    close() {
      void io.of('/').adapter.close();
      channel.close();
    },
  };
}
