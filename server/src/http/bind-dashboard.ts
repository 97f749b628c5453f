import {
  DASHBOARD_BASE_PATH,
  DASHBOARD_ENDPOINTS,
  type DashboardEndpoint,
  type DashboardEndpointName,
  dashboardRoute,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Answer } from './bind.ts';
import { bindWebEndpoint, type WebCall } from './bind-web-app.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { SignedInMember } from './member-authentication.ts';

type Endpoints = typeof DASHBOARD_ENDPOINTS;

export interface DashboardCall<N extends DashboardEndpointName> extends WebCall<Endpoints[N]> {
  /** The member who is signed in; null where the endpoint needs no session. */
  member: Endpoints[N]['needs'] extends null ? null : SignedInMember;
}

/** Serves an endpoint of the dashboard by its name. Its schemas validate requests and whitelist responses. */
export function bindDashboard<N extends DashboardEndpointName>(
  app: FastifyInstance,
  name: N,
  handle: (call: DashboardCall<N>) => Promise<Answer> | Answer,
): void {
  const endpoint: DashboardEndpoint = DASHBOARD_ENDPOINTS[name];
  const { method, path } = dashboardRoute(name);
  const url = `${DASHBOARD_BASE_PATH}${path}`;
  const config = { dashboardEndpoint: { ...endpoint, name } };
  bindWebEndpoint<Endpoints[N], SignedInMember>(
    app,
    { endpoint, method, url, config, personOf: ({ member }) => member },
    async (member, call) => {
      const answer = await handle({ ...call, member: member as DashboardCall<N>['member'] });
      return member?.view ? hideSecrets(answer) : answer;
    },
  );
}
