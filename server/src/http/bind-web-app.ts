import type { Readable } from 'node:stream';
import {
  BODY_LIMIT_BYTES,
  type EndpointPart,
  type EndpointShape,
  type Method,
  SIGN_IN_BODY_LIMIT_BYTES,
} from '@navette/contract';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { rememberClient } from '../network/client-network.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import type { Answer, Part } from './bind.ts';
import { routeSchema } from './route-schema.ts';

/** A request to an endpoint of a web app, and the ways to answer it. */
export interface WebCall<E extends EndpointShape> {
  body: EndpointPart<E, 'body'>;
  query: EndpointPart<E, 'query'>;
  params: EndpointPart<E, 'params'>;
  headers: EndpointPart<E, 'headers'>;
  answer: <S extends keyof E['answers']>(
    status: S,
    body: Part<E['answers'][S]>,
    headers?: Record<string, string>,
  ) => Answer;
  /** Text or a stream that is already JSON, limited to the contract's fields by its producer. */
  answerJson: (status: keyof E['answers'], json: string | Readable) => Answer;
  /** A response that is not JSON: a redirect, a file. */
  answerWith: (
    status: keyof E['answers'],
    headers: Record<string, string>,
    body: Readable | Buffer | string | null,
  ) => Answer;
  request: FastifyRequest;
}

interface WebRoute<P> {
  endpoint: EndpointShape & { needs: string | null };
  method: Method;
  url: string;
  config: FastifyContextConfig;
  personOf: (request: FastifyRequest) => P | null;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Serves an endpoint of a web app. `handle` gets the person who is signed in, or null where no session is needed. */
export function bindWebEndpoint<E extends EndpointShape, P>(
  app: FastifyInstance,
  { endpoint, method, url, config, personOf }: WebRoute<P>,
  handle: (person: P | null, call: WebCall<E>) => Promise<Answer> | Answer,
): void {
  app.route({
    method,
    url,
    config,
    onRequest: rememberClient,
    bodyLimit: endpoint.bodyLimit ?? (endpoint.needs === null ? SIGN_IN_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES),
    schema: routeSchema(endpoint),
    handler: async (request, reply) => {
      const person = endpoint.needs === null ? null : (personOf(request) ?? refuseSignIn('NOT_SIGNED_IN'));
      const answer = await handle(person, {
        body: request.body as EndpointPart<E, 'body'>,
        query: request.query as EndpointPart<E, 'query'>,
        params: request.params as EndpointPart<E, 'params'>,
        headers: request.headers as EndpointPart<E, 'headers'>,
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
