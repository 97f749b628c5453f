import type { Static, TSchema } from 'typebox';
import type { DRIVER_ENDPOINTS, DriverEndpointName } from './endpoints.ts';

type Endpoints = typeof DRIVER_ENDPOINTS;

/** `METHOD /path` of an endpoint. */
export type DriverRoute<N extends DriverEndpointName> = `${Endpoints[N]['method']} ${Endpoints[N]['path']}`;

/** The schema of one part of a request, as a type; undefined where the endpoint has no such part. */
export type DriverPart<N extends DriverEndpointName, P extends 'params' | 'query' | 'body'> =
  Endpoints[N] extends Record<P, infer S extends TSchema> ? Static<S> : undefined;

/** The body of the endpoint's successful responses. */
export type DriverAnswer<N extends DriverEndpointName> = {
  [S in keyof Endpoints[N]['answers']]: Endpoints[N]['answers'][S] extends infer A extends TSchema ? Static<A> : never;
}[keyof Endpoints[N]['answers']];
