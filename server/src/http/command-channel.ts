import { AsyncLocalStorage } from 'node:async_hooks';

/** How a driver's command arrived. The contract sends no event for some changes made over the app's socket. */
export type CommandChannel = 'http' | 'realtime';

const channels = new AsyncLocalStorage<CommandChannel>();

/**
 * Runs `work` as a command of the socket. The channel is no header, so no client can claim another one. `work` is awaited
 * inside, because Fastify's `inject` may start only when it is awaited.
 */
export const runOverSocket = <T>(work: () => PromiseLike<T>): Promise<T> =>
  channels.run('realtime', async () => work());

/** The channel of the command that is being handled. */
export const currentCommandChannel = (): CommandChannel => channels.getStore() ?? 'http';
