import type { DriverAnswer, DriverEndpointName, DriverPart } from '@navette/contract';
import { DRIVER_BASE_PATH, DRIVER_ROUTES, type DriverRouteName } from '@navette/contract/driver-routes';
import { createApi, type PartsArgument, type RequestParts } from '@navette/ui/call-api';
import { betterSkew, type ClockSkew, measureSkew } from '../clock/server-clock.ts';

type Parts<N extends DriverEndpointName> = {
  [P in 'params' | 'query' | 'body' as DriverPart<N, P> extends undefined ? never : P]: DriverPart<N, P>;
};
const TIMEOUT_MS = 20_000; // a slow answer on the edge of a network is better asked for again
const UPLOAD_TIMEOUT_MS = 90_000; // 200 kB at 20 kbit/s

let token: string | null = null;
let skew: ClockSkew | null = null;
let onSkew = (_skew: ClockSkew) => {};
let onSignedOut = () => {};

export const setToken = (next: string | null) => {
  token = next;
};
export const currentSkew = () => skew;
/** The clock's skew as stored; `keep` stores every better measurement. */
export function startClock(known: ClockSkew | null, keep: (skew: ClockSkew) => void): void {
  skew = known;
  onSkew = keep;
}
/** Registers the handler for responses that refuse the token. */
export const whenSignedOut = (handler: () => void) => {
  onSignedOut = handler;
};

const api = createApi<DriverRouteName>({
  routes: DRIVER_ROUTES,
  basePath: DRIVER_BASE_PATH,
  headersFor: (): Record<string, string> => (token === null ? {} : { authorization: `Bearer ${token}` }),
  onResponse(response, sentAt) {
    const measured = measureSkew(response.headers.get('date'), sentAt, Date.now());
    const better = measured && betterSkew(skew, measured);
    if (!better || better === skew) return;
    skew = better;
    onSkew(better);
  },
  onRefusal(_name, { slug }) {
    if (slug === 'INVALID_TOKEN' || slug === 'MISSING_TOKEN') onSignedOut();
  },
});

/** Calls an endpoint, typed by the contract. Throws an ApiError unless the response is successful. */
export async function call<N extends DriverEndpointName>(
  name: N,
  ...[parts]: PartsArgument<Parts<N>>
): Promise<DriverAnswer<N>> {
  const response = await api.send(name, { ...(parts as RequestParts), signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.json();
}

/** The same for endpoints that return a file. */
export async function callForFile<N extends DriverEndpointName>(
  name: N,
  ...[parts]: PartsArgument<Parts<N>>
): Promise<Blob> {
  const response = await api.send(name, { ...(parts as RequestParts), signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
  return response.blob();
}

/** Sends a command and returns the response, whatever its status. Throws when there is none. */
export const request = (name: DriverRouteName, parts: RequestParts): Promise<Response> =>
  api.request(name, {
    ...parts,
    signal: AbortSignal.timeout(name === 'addProof' ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
  });
