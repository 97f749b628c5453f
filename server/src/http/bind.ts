import type { Readable } from 'node:stream';
import { BASE_PATH, BODY_LIMIT_BYTES, type Endpoint } from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

type Part<S> = S extends TSchema ? Static<S> : undefined;

export interface Call<E extends Endpoint> {
  caller: Caller;
  body: Part<E['body']>;
  query: Part<E['query']>;
  params: Part<E['params']>;
  headers: Part<E['headers']>;
  answer: <S extends keyof E['answers']>(status: S, body: Part<E['answers'][S]>) => Answer;
  answerJson: (status: keyof E['answers'], json: string | Readable) => Answer;
  request: FastifyRequest;
}

/** What a handler returns, made by `call.answer` so that status and body belong together. */
export interface Answer {
  status: number;
  body: unknown;
  /** The body is JSON already: text or a stream that another whitelist has made. */
  raw?: true;
}

/** Serves an endpoint of the contract: its schemas check what comes in and are the whitelist of what goes out. */
export function bind<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answer> | Answer,
): void {
  const { body, query, params, headers } = endpoint;
  app.route({
    method: endpoint.method,
    url: `${BASE_PATH}${endpoint.path}`,
    config: { endpoint },
    bodyLimit: endpoint.bodyLimit ?? BODY_LIMIT_BYTES,
    schema: {
      ...(body ? { body } : {}),
      ...(query ? { querystring: query } : {}),
      ...(params ? { params } : {}),
      ...(headers ? { headers } : {}),
      response: endpoint.answers,
    },
    handler: async (request, reply) => {
      const answer = await handle({
        caller: request.caller ?? refuse('INTERNAL_ERROR'),
        body: request.body as Part<E['body']>,
        query: request.query as Part<E['query']>,
        params: request.params as Part<E['params']>,
        headers: request.headers as Part<E['headers']>,
        answer: (status, body) => ({ status: Number(status), body }),
        answerJson: (status, body) => ({ status: Number(status), body, raw: true }),
        request,
      });
      if (answer.raw) reply.type('application/json; charset=utf-8');
      return reply.status(answer.status).send(answer.body);
    },
  });
}
