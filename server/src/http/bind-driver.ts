import { BODY_LIMIT_BYTES, DRIVER_BASE_PATH, type DriverEndpoint } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Answer, Part } from './bind.ts';
import type { SignedInDriver } from './driver-door.ts';
import { refuseDriver } from './driver-refusal.ts';
import { routeSchema } from './route-schema.ts';
import { type SpokenChannel, spokenChannel } from './spoken-channel.ts';

export interface DriverCall<E extends DriverEndpoint> {
  driver: E extends { open: true } ? null : SignedInDriver;
  channel: SpokenChannel;
  body: Part<E['body']>;
  params: Part<E['params']>;
  answer: <S extends keyof E['answers']>(status: S, body: Part<E['answers'][S]>) => Answer;
}

/** Serves a command of the driver app, whichever channel it came by: the schemas check both ways. */
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
    bodyLimit: BODY_LIMIT_BYTES,
    schema: routeSchema(endpoint),
    handler: async (request, reply) => {
      const driver = endpoint.open ? null : (request.driver ?? refuseDriver('INVALID_TOKEN'));
      const answer = await handle({
        driver: driver as DriverCall<E>['driver'],
        channel: spokenChannel(),
        body: request.body as Part<E['body']>,
        params: request.params as Part<E['params']>,
        answer: (status, body) => ({ status: Number(status), body }),
      });
      return reply.status(answer.status).send(answer.body);
    },
  });
}
