import type { DashboardAnswer, DashboardEndpointName, DashboardPart } from '@navette/contract';
import { DASHBOARD_BASE_PATH, DASHBOARD_ROUTES } from '@navette/contract/dashboard-routes';
import { ApiError } from './api-error.ts';

type Parts<N extends DashboardEndpointName> = {
  [P in 'params' | 'query' | 'body' | 'headers' as DashboardPart<N, P> extends undefined ? never : P]: DashboardPart<
    N,
    P
  >;
};
/** A part whose fields are all optional may be left out. */
type Given<N extends DashboardEndpointName> = {
  [P in keyof Parts<N> as Record<never, never> extends Parts<N>[P] ? never : P]: Parts<N>[P];
} & Partial<Parts<N>>;
export type CallArguments<N extends DashboardEndpointName> =
  Record<never, never> extends Given<N> ? [parts?: Given<N>] : [parts: Given<N>];

interface AnyParts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
}

let csrfToken = '';
let sessionEnded = () => {};

/** Of the session, which brings it; goes with everything but reads. */
export const setCsrfToken = (token: string) => {
  csrfToken = token;
};
/** Called when an answer shows that nobody is signed in any more. */
export const whenSessionEnds = (tell: () => void) => {
  sessionEnded = tell;
};

/** The address of an endpoint, for what the browser fetches itself: downloads and previews. */
export function addressOf<N extends DashboardEndpointName>(name: N, ...[parts]: CallArguments<N>): string {
  const { params, query } = (parts ?? {}) as AnyParts;
  const path = pathOf(name).replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(params?.[field] ?? ''));
  const given = Object.entries(query ?? {}).flatMap(([field, value]) =>
    value === undefined || value === '' ? [] : [[field, String(value)]],
  );
  return `${DASHBOARD_BASE_PATH}${path}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
}

/** Asks the server, typed by the contract; throws an ApiError where the answer is not a yes. */
export async function call<N extends DashboardEndpointName>(
  name: N,
  ...args: CallArguments<N>
): Promise<DashboardAnswer<N>> {
  const response = await send(name, ...args);
  return response.json();
}

/** The same for endpoints that answer with a file. */
export async function callForFile<N extends DashboardEndpointName>(name: N, ...args: CallArguments<N>): Promise<Blob> {
  const response = await send(name, ...args);
  return response.blob();
}

async function send<N extends DashboardEndpointName>(name: N, ...args: CallArguments<N>): Promise<Response> {
  const { body, headers } = (args[0] ?? {}) as AnyParts;
  const method = methodOf(name);
  const response = await fetch(addressOf(name, ...args), {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, { error: 'NOT_REACHED' });
  });
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  // Whoever asks for the session learns it from the answer: told again, the router would ask again, without end.
  if (answer.error === 'NOT_SIGNED_IN' && name !== 'readSession') sessionEnded();
  throw new ApiError(response.status, answer);
}

const methodOf = (name: DashboardEndpointName) => DASHBOARD_ROUTES[name].split(' ')[0] ?? 'GET';
const pathOf = (name: DashboardEndpointName) => DASHBOARD_ROUTES[name].split(' ')[1] ?? '';
