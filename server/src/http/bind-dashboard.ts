import type { Readable } from 'node:stream';
import {
  BODY_LIMIT_BYTES,
  DASHBOARD_BASE_PATH,
  DASHBOARD_ENDPOINTS,
  type DashboardEndpoint,
  type DashboardEndpointName,
  type DashboardPart,
  dashboardRoute,
} from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answer, Part } from './bind.ts';
import type { SignedInMember } from './dashboard-door.ts';
import { refuseDashboard } from './dashboard-refusal.ts';
import { routeSchema } from './route-schema.ts';

type Endpoints = typeof DASHBOARD_ENDPOINTS;

export interface DashboardCall<N extends DashboardEndpointName> {
  /** Who asks; null where no session is needed. */
  member: Endpoints[N]['needs'] extends null ? null : SignedInMember;
  body: DashboardPart<N, 'body'>;
  query: DashboardPart<N, 'query'>;
  params: DashboardPart<N, 'params'>;
  headers: DashboardPart<N, 'headers'>;
  answer: <S extends keyof Endpoints[N]['answers']>(
    status: S,
    body: Part<Endpoints[N]['answers'][S]>,
    headers?: Record<string, string>,
  ) => Answer;
  /** JSON already: text or a stream that another whitelist has made. */
  answerJson: (status: keyof Endpoints[N]['answers'], json: string | Readable) => Answer;
  /** Anything that is not JSON: a redirection, a file. */
  answerWith: (
    status: keyof Endpoints[N]['answers'],
    headers: Record<string, string>,
    body: Readable | string | null,
  ) => Answer;
  request: FastifyRequest;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Serves an endpoint of the dashboard by its name: its schemas check what comes in and whitelist what goes out. */
export function bindDashboard<N extends DashboardEndpointName>(
  app: FastifyInstance,
  name: N,
  handle: (call: DashboardCall<N>) => Promise<Answer> | Answer,
): void {
  const endpoint: DashboardEndpoint = DASHBOARD_ENDPOINTS[name];
  const { method, path } = dashboardRoute(name);
  app.route({
    method,
    url: `${DASHBOARD_BASE_PATH}${path}`,
    config: { dashboardEndpoint: endpoint },
    bodyLimit: endpoint.bodyLimit ?? BODY_LIMIT_BYTES,
    schema: routeSchema(endpoint),
    handler: async (request, reply) => {
      const member = endpoint.needs === null ? null : (request.member ?? refuseDashboard('NOT_SIGNED_IN'));
      const answer = await handle({
        member: member as DashboardCall<N>['member'],
        body: request.body as DashboardPart<N, 'body'>,
        query: request.query as DashboardPart<N, 'query'>,
        params: request.params as DashboardPart<N, 'params'>,
        headers: request.headers as DashboardPart<N, 'headers'>,
        answer: (status, body, headers) => ({ status: Number(status), body, ...(headers ? { headers } : {}) }),
        answerJson: (status, body) => ({ status: Number(status), headers: JSON_TYPE, body }),
        answerWith: (status, headers, body) => ({ status: Number(status), headers, body: body ?? '' }),
        request,
      });
      if (answer.headers) reply.headers(answer.headers);
      return reply.status(answer.status).send(answer.body);
    },
  });
}
