import type { EndpointShape } from '@navette/contract';

/** The Fastify schema of an endpoint: validation of the request and the whitelist of the response. */
export const routeSchema = ({ body, query, params, headers, answers }: EndpointShape) => ({
  ...(body ? { body } : {}),
  ...(query ? { querystring: query } : {}),
  ...(params ? { params } : {}),
  ...(headers ? { headers } : {}),
  response: answers,
});
