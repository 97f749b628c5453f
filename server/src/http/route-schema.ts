import type { TSchema } from 'typebox';

interface Parts {
  body?: TSchema;
  query?: TSchema;
  params?: TSchema;
  headers?: TSchema;
  answers: Record<number, TSchema>;
}

/** An endpoint of any table in Fastify's words: what is checked on the way in, and the whitelist on the way out. */
export const routeSchema = ({ body, query, params, headers, answers }: Parts) => ({
  ...(body ? { body } : {}),
  ...(query ? { querystring: query } : {}),
  ...(params ? { params } : {}),
  ...(headers ? { headers } : {}),
  response: answers,
});
