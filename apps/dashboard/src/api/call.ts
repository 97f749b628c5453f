import type { DashboardAnswer, DashboardEndpointName, DashboardPart } from '@navette/contract';
import { DASHBOARD_BASE_PATH, DASHBOARD_ROUTES } from '@navette/contract/dashboard-routes';
import { createCsrfApi } from '@navette/ui/api/csrf-api.ts';
import type { PartsArgument } from '@navette/ui/call-api';

type Parts<N extends DashboardEndpointName> = {
  [P in 'params' | 'query' | 'body' | 'headers' as DashboardPart<N, P> extends undefined ? never : P]: DashboardPart<
    N,
    P
  >;
};
export type CallArguments<N extends DashboardEndpointName> = PartsArgument<Parts<N>>;

const api = createCsrfApi<DashboardEndpointName>(DASHBOARD_ROUTES, DASHBOARD_BASE_PATH);
export const { setCsrfToken, onSessionEnd } = api;

/** The URL of an endpoint, for downloads and previews that the browser fetches itself. */
export function urlOf<N extends DashboardEndpointName>(name: N, ...[parts]: CallArguments<N>): string {
  return api.urlOf(name, parts as object);
}

/** Calls an endpoint, typed by the contract. Throws an ApiError unless the response is successful. */
export async function call<N extends DashboardEndpointName>(
  name: N,
  ...[parts]: CallArguments<N>
): Promise<DashboardAnswer<N>> {
  const response = await api.send(name, parts as object);
  return response.json();
}

/** The same for endpoints that return a file. */
export async function callForFile<N extends DashboardEndpointName>(
  name: N,
  ...[parts]: CallArguments<N>
): Promise<Blob> {
  const response = await api.send(name, parts as object);
  return response.blob();
}
