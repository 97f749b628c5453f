import type { Readable } from 'node:stream';
import { BODY_LIMIT_BYTES, DRIVER_BASE_PATH, type DriverEndpoint, SIGN_IN_BODY_LIMIT_BYTES } from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rememberClient } from '../network/client-network.ts';
import { refuseDriver } from '../refusals/driver-refusal.ts';
import type { Answer, Part } from './bind.ts';
import { type CommandChannel, currentCommandChannel } from './command-channel.ts';
import type { SignedInDriver } from './driver-authentication.ts';
import { routeSchema } from './route-schema.ts';

export interface DriverCall<E extends DriverEndpoint> {
  driver: E extends { open: true } ? null : SignedInDriver;
  channel: CommandChannel;
  body: Part<E['body']>;
  params: Part<E['params']>;
  query: Part<E['query']>;
  answer: <S extends keyof E['answers']>(status: S, body: Part<E['answers'][S]>) => Answer;
  /** A response that is not JSON: a file. */
  answerWith: (status: keyof E['answers'], headers: Record<string, string>, body: Readable | Buffer | string) => Answer;
  request: FastifyRequest;
}

/** Serves a command of the driver app for both channels. Its schemas validate requests and whitelist responses. */
export function bindDriver<E extends DriverEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: DriverCall<E>) => Promise<Answer>,
): void {
  const { method, path } = endpoint;
  app.route({
    method,
    url: `${DRIVER_BASE_PATH}${path}`,
    config: { driverEndpoint: endpoint },
    onRequest: rememberClient,
    bodyLimit: endpoint.bodyLimit ?? (endpoint.open ? SIGN_IN_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES),
    schema: routeSchema(endpoint),
    handler: async (request, reply) => {
      const driver = endpoint.open ? null : (request.driver ?? refuseDriver('INVALID_TOKEN'));
      const answer = await handle({
        driver: driver as DriverCall<E>['driver'],
        channel: currentCommandChannel(),
        body: request.body as Part<E['body']>,
        params: request.params as Part<E['params']>,
        query: request.query as Part<E['query']>,
        answer: (status, body) => ({ status: Number(status), body }),
        answerWith: (status, headers, body) => ({ status: Number(status), headers, body }),
        request,
      });
      if (answer.headers) reply.headers(answer.headers);
      return reply.status(answer.status).send(answer.body);
    },
  });
}
