import type { BrowserContext } from 'playwright-core';
import { eventually } from '../../server/test/eventually.ts';

/** The browser's side of the service worker, which works while the app is closed. */
export interface WorkerControl {
  /** Delivers a push as the browser does after it has decrypted one. */
  push: (message: unknown) => Promise<void>;
  /** Reports that the network is back. */
  sync: (tag: string) => Promise<void>;
  /** Evaluates an expression in the service worker. */
  evaluate: <Result>(expression: string) => Promise<Result>;
}

/** Sends commands to the browser from an empty page, because the pages of the app are closed. */
export async function controlWorker(context: BrowserContext, origin: string): Promise<WorkerControl> {
  const client = await context.newCDPSession(await context.newPage());
  let registrationId: string | undefined;
  client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ scopeURL }) => scopeURL === `${origin}/driver/`)?.registrationId;
  });
  await client.send('ServiceWorker.enable');
  const id = () =>
    eventually(() => {
      if (registrationId === undefined) throw new Error('no service worker is registered');
      return registrationId;
    });
  return {
    async push(message) {
      const data = JSON.stringify(message);
      await client.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await id(), data });
    },
    async sync(tag) {
      await client.send('ServiceWorker.dispatchSyncEvent', {
        ...{ origin, registrationId: await id(), tag },
        lastChance: false,
      });
    },
    async evaluate(expression) {
      const worker = await eventually(() => {
        const found = context.serviceWorkers().at(-1);
        if (!found) throw new Error('no service worker runs');
        return found;
      });
      return worker.evaluate(expression);
    },
  };
}
