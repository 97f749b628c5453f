import Type, { type TSchema } from 'typebox';
import type { Endpoint } from './endpoints.ts';
import {
  ERROR_SLUGS,
  type ErrorSlug,
  FieldErrors,
  MessageOnly,
  RateLimited,
  slugEnvelope,
  ValidationError,
} from './errors.ts';

/** Every response of an endpoint, success and failure: the allowed schemas by status. */
export function answersOf(endpoint: Endpoint): Map<number, TSchema[]> {
  const answers = new Map<number, TSchema[]>();
  const allow = (status: number, schema: TSchema) => answers.set(status, [...(answers.get(status) ?? []), schema]);

  for (const [status, schema] of Object.entries(endpoint.answers)) allow(Number(status), schema);
  for (const slug of slugsOf(endpoint)) allow(ERROR_SLUGS[slug].status, slugEnvelope(slug));
  allow(429, RateLimited);

  if (endpoint.unexpectedFailure === 'validation-error') {
    allow(400, ValidationError);
  } else {
    if (endpoint.body || endpoint.query || endpoint.headers) allow(400, FieldErrors);
    if (endpoint.body || endpoint.messageOnly) allow(400, MessageOnly);
  }
  if (endpoint.body) for (const status of [413, 415]) allow(status, MessageOnly);
  if (endpoint.findsOne) allow(404, MessageOnly);
  return answers;
}

export function slugsOf(endpoint: Endpoint): ErrorSlug[] {
  const access = (Object.keys(ERROR_SLUGS) as ErrorSlug[]).filter((slug) => ERROR_SLUGS[slug].kind === 'access');
  return [...access, ...(endpoint.refusals ?? [])];
}

export const anyOf = (schemas: TSchema[]): TSchema =>
  schemas.length === 1 && schemas[0] ? schemas[0] : Type.Union(schemas);
