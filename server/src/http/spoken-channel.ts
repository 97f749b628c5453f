import { AsyncLocalStorage } from 'node:async_hooks';

/** How a driver spoke: the contract keeps some events to itself when it was over the app's socket. */
export type SpokenChannel = 'http' | 'realtime';

const speaking = new AsyncLocalStorage<SpokenChannel>();

/** Not a header: nobody outside can claim to speak over the other channel. */
export const overSocket = <T>(work: () => T): T => speaking.run('realtime', work);

export const spokenChannel = (): SpokenChannel => speaking.getStore() ?? 'http';
