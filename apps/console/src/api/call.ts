import type { ConsoleAnswer, ConsoleEndpointName, ConsolePart } from '@navette/contract';
import { CONSOLE_BASE_PATH, CONSOLE_ROUTES } from '@navette/contract/console-routes';
import { createCsrfApi } from '@navette/ui/api/csrf-api.ts';
import type { PartsArgument } from '@navette/ui/call-api';

type Parts<N extends ConsoleEndpointName> = {
  [P in 'params' | 'query' | 'body' as ConsolePart<N, P> extends undefined ? never : P]: ConsolePart<N, P>;
};
type CallArguments<N extends ConsoleEndpointName> = PartsArgument<Parts<N>>;

const api = createCsrfApi<ConsoleEndpointName>(CONSOLE_ROUTES, CONSOLE_BASE_PATH);
export const { setCsrfToken, onSessionEnd } = api;

/** The URL of an endpoint, for downloads and redirects that the browser follows itself. */
export function urlOf<N extends ConsoleEndpointName>(name: N, ...[parts]: CallArguments<N>): string {
  return api.urlOf(name, parts as object);
}

let lastActAt = Number.NEGATIVE_INFINITY;

/** Whether this page has changed something within this time. */
export const actedWithin = (ms: number): boolean => performance.now() - lastActAt < ms;

/** Calls an endpoint, typed by the contract. Throws an ApiError unless the response is successful. */
export async function call<N extends ConsoleEndpointName>(
  name: N,
  ...[parts]: CallArguments<N>
): Promise<ConsoleAnswer<N>> {
  try {
    const response = await api.send(name, parts as object);
    return await response.json();
  } finally {
    if (!CONSOLE_ROUTES[name].startsWith('GET ')) lastActAt = performance.now();
  }
}
