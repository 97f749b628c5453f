import type { Readable } from 'node:stream';
import { BASE_PATH, BODY_LIMIT_BYTES, type Endpoint } from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { refuse } from '../refusals/refusal.ts';
import type { Caller } from './caller.ts';
import { routeSchema } from './route-schema.ts';

export type Part<S> = S extends TSchema ? Static<S> : undefined;

export interface Call<E extends Endpoint> {
  caller: Caller;
  body: Part<E['body']>;
  query: Part<E['query']>;
  params: Part<E['params']>;
  headers: Part<E['headers']>;
  answer: <S extends keyof E['answers']>(status: S, body: Part<E['answers'][S]>) => Answer;
  answerJson: (status: keyof E['answers'], json: string | Readable) => Answer;
  /** A response that is not JSON: a redirect, a file. */
  answerWith: (status: keyof E['answers'], headers: Record<string, string>, body: Readable | null) => Answer;
  request: FastifyRequest;
}

/** The result of a handler. `call.answer` builds it, so that its type ties the body to the status. */
export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Serves an endpoint of the contract. Its schemas validate requests and whitelist responses. */
export function bind<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answer> | Answer,
): void {
  app.route({
    method: endpoint.method,
    url: `${BASE_PATH}${endpoint.path}`,
    config: { endpoint },
    bodyLimit: endpoint.bodyLimit ?? BODY_LIMIT_BYTES,
    schema: routeSchema(endpoint),
    handler: async (request, reply) => {
      const answer = await handle({
        caller: request.caller ?? refuse('INTERNAL_ERROR'),
        body: request.body as Part<E['body']>,
        query: request.query as Part<E['query']>,
        params: request.params as Part<E['params']>,
        headers: request.headers as Part<E['headers']>,
        answer: (status, body) => ({ status: Number(status), body }),
        // Text or a stream that is already JSON, limited to the contract's fields by its producer.
        answerJson: (status, body) => ({ status: Number(status), headers: JSON_TYPE, body }),
        answerWith: (status, headers, body) => ({ status: Number(status), headers, body: body ?? '' }),
        request,
      });
      if (answer.headers) reply.headers(answer.headers);
      return reply.status(answer.status).send(answer.body);
    },
  });
}
