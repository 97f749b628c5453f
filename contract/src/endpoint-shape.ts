import type { Static, TSchema } from 'typebox';

/** The common shape of all endpoints: of the merchant, driver, dashboard and console APIs. */
export interface EndpointShape {
  section: string;
  summary: string;
  description?: string;
  params?: TSchema;
  query?: TSchema;
  headers?: TSchema;
  body?: TSchema;
  /** Successful responses by status; the schema is the whitelist of the fields sent. */
  answers: Record<number, TSchema>;
  /** Returns 404 for an id or reference that is unknown or belongs to somebody else. */
  findsOne?: true;
  bodyLimit?: number;
}

/** The schema of one part of a request, as a type; undefined where the endpoint has no such part. */
export type EndpointPart<E, P extends 'params' | 'query' | 'headers' | 'body'> =
  E extends Record<P, infer S extends TSchema> ? Static<S> : undefined;

/** The body of the endpoint's successful responses. */
export type EndpointAnswer<E extends EndpointShape> = {
  [S in keyof E['answers']]: E['answers'][S] extends infer A extends TSchema ? Static<A> : never;
}[keyof E['answers']];
