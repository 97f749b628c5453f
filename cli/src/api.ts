import type { Answers, Bodies, Queries } from '../../sdk/src/generated/api-types.ts';
import { type CallOptions, type Operation, Transport } from '../../sdk/src/transport.ts';
import type { Connection } from './settings.ts';

export type FeedEvent = Answers['readEvents']['events'][number];

const POLL_SECONDS = 20;
const POLL_TIMEOUT_MS = 60_000; // the wait, and the time of a slow network

/** Operations that the SDK does not have, by the SDK's rules of retrying. */
export function createApi({ url, apiKey, clientId }: Connection) {
  const transport = new Transport({ url, apiKey, clientId });
  const call = <T>(operation: Omit<Operation, 'isIdempotent'>, options?: CallOptions) =>
    transport.json<T>({ isIdempotent: true, ...operation }, options);
  return {
    account: async () =>
      (await call<Answers['testCredentials']>({ name: 'testCredentials', method: 'GET', path: '/shipping/auth/test' }))
        .professional,

    /** One attempt: the caller reconnects. Waits for an event when there is none after the cursor. */
    pull: (query: Queries['readEvents'], signal?: AbortSignal) =>
      call<Answers['readEvents']>(
        { name: 'readEvents', method: 'GET', path: '/feed/events', query: { wait: POLL_SECONDS, ...query } },
        { signal, retries: 0, timeoutMs: POLL_TIMEOUT_MS },
      ),

    requests: (query: Queries['readRequests'], signal?: AbortSignal) =>
      call<Answers['readRequests']>({ name: 'readRequests', method: 'GET', path: '/feed/requests', query }, { signal }),

    advance: (id: string, body: Bodies['advanceTestShipment']) =>
      call<Answers['advanceTestShipment']>(
        { name: 'advanceTestShipment', method: 'POST', path: `/test/shipping/${encodeURIComponent(id)}/until`, body },
        { timeoutMs: POLL_TIMEOUT_MS },
      ),

    resend: (id: string) =>
      call<Answers['resendTestEvent']>({
        name: 'resendTestEvent',
        method: 'POST',
        path: `/test/events/${encodeURIComponent(id)}/resend`,
        isIdempotent: false, // would send it twice
      } as Operation),
  };
}

export type Api = ReturnType<typeof createApi>;
