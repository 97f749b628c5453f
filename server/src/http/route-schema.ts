import type { EndpointShape } from '@navette/contract';

/** An endpoint of any table in Fastify's words: what is checked on the way in, and the whitelist on the way out. */
export const routeSchema = ({ body, query, params, headers, answers }: EndpointShape) => ({
  ...(body ? { body } : {}),
  ...(query ? { querystring: query } : {}),
  ...(params ? { params } : {}),
  ...(headers ? { headers } : {}),
  response: answers,
});
