import type { TSchema } from 'typebox';
import type { EndpointShape } from './endpoint-shape.ts';
import { ERROR_SLUGS, type ErrorSlug, MessageOnly, RateLimited, slugEnvelope } from './errors.ts';
import { describeStatus, type Json, openApiOf } from './openapi-parts.ts';
import type { Method } from './scopes.ts';
import { WebFieldErrors, type WebSlug, webSlugEnvelope } from './web-slugs.ts';

export interface WebEndpoint extends EndpointShape {
  refusals?: readonly string[];
  needs: string | null;
}

/** An API for a web app whose users sign in with a cookie: the dashboard, the console. */
interface WebApi<N extends string> {
  title: string;
  description: string;
  basePath: string;
  cookie: string;
  routes: Record<N, string>;
  endpoints: Record<N, WebEndpoint>;
  slugs: Record<string, WebSlug>;
  /** Refusals of the session check that only this API has. */
  sessionRefusals?: (name: N) => string[];
  notFound: string;
}

/** Derives routes, every response of an endpoint, and the OpenAPI document from the table of a web app's API. */
export function describeWebApi<N extends string>(api: WebApi<N>) {
  const routeOf = (name: N): { method: Method; path: string } => {
    const [method, path] = api.routes[name].split(' ') as [Method, string];
    return { method, path };
  };
  const isOwn = (slug: string) => slug in api.slugs;
  const definitionOf = (slug: string) => api.slugs[slug] ?? ERROR_SLUGS[slug as ErrorSlug];
  const envelopeOf = (slug: string) =>
    isOwn(slug) ? webSlugEnvelope(api.slugs, slug) : slugEnvelope(slug as ErrorSlug);

  function slugsOf(name: N): string[] {
    const { needs, refusals = [] } = api.endpoints[name];
    const changes = routeOf(name).method !== 'GET';
    return [
      ...(needs ? ['NOT_SIGNED_IN'] : []),
      ...(changes ? ['FOREIGN_ORIGIN'] : []),
      ...(changes && needs ? ['BAD_CSRF_TOKEN'] : []),
      ...(needs && needs !== 'self' ? ['ROLE_NOT_ALLOWED'] : []),
      ...(api.sessionRefusals?.(name) ?? []),
      ...refusals,
      'INTERNAL_ERROR',
    ];
  }

  /** Every response of an endpoint, success and failure: the allowed schemas by status. */
  function answersOf(name: N): Map<number, TSchema[]> {
    const endpoint = api.endpoints[name];
    const answers = new Map<number, TSchema[]>();
    const allow = (status: number, schema: TSchema) => answers.set(status, [...(answers.get(status) ?? []), schema]);
    for (const [status, schema] of Object.entries(endpoint.answers)) allow(Number(status), schema);
    for (const slug of slugsOf(name)) allow(definitionOf(slug).status, envelopeOf(slug));
    if (endpoint.body || endpoint.query || endpoint.headers) allow(400, WebFieldErrors);
    if (endpoint.body) for (const status of [400, 413, 415]) allow(status, MessageOnly);
    if (endpoint.findsOne) allow(404, MessageOnly);
    allow(429, RateLimited);
    return answers;
  }

  function describeAnswer(status: number, slugs: string[]): string {
    const causes = slugs.map((slug) => ({ slug, ...definitionOf(slug) })).filter((known) => known.status === status);
    return describeStatus(status, causes, status === 404 ? [api.notFound] : []);
  }

  function buildOpenApi(publicUrl = ''): Json {
    const about = {
      title: api.title,
      description: api.description,
      url: `${publicUrl}${api.basePath}`,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: api.cookie } },
    };
    const endpoints = Object.entries(api.endpoints) as [N, WebEndpoint][];
    return openApiOf(
      about,
      endpoints.map(([name, endpoint]) => {
        const { needs } = endpoint;
        const need = needs && needs !== 'self' ? `Needs a role with the permission \`${needs}\`.` : '';
        const description = `${endpoint.description ?? ''}\n\n${need}`.trim();
        const answers = answersOf(name);
        const describe = (status: number) => describeAnswer(status, slugsOf(name));
        return { ...routeOf(name), name, endpoint, description, isOpen: !needs, answers, describe };
      }),
    );
  }

  return { routeOf, answersOf, buildOpenApi };
}
