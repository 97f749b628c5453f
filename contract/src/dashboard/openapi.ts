import type { TSchema } from 'typebox';
import { ERROR_SLUGS, type ErrorSlug, MessageOnly, RateLimited, slugEnvelope } from '../errors.ts';
import { describeStatus, type Json, openApiOf } from '../openapi-parts.ts';
import type { DashboardEndpoint } from './endpoint.ts';
import { DASHBOARD_ENDPOINTS, dashboardRoute } from './endpoints.ts';
import { DASHBOARD_SLUGS, type DashboardErrorSlug, DashboardFieldErrors, dashboardSlugEnvelope } from './errors.ts';
import { CSRF_HEADER } from './roles.ts';
import { DASHBOARD_BASE_PATH, type DashboardEndpointName } from './routes.ts';

type Slug = DashboardErrorSlug | ErrorSlug;

/** The dashboard's API for machines, from its table, like the merchants'. */
export function buildDashboardOpenApi(publicUrl = ''): Json {
  const about = {
    title: 'Navette dashboard API',
    description: `What the merchant’s dashboard is made on: sessions of people, by cookie. Software uses the public API with a key. Everything but a GET carries the session’s \`csrfToken\` as \`${CSRF_HEADER}\`.`,
    url: `${publicUrl}${DASHBOARD_BASE_PATH}`,
    securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-navette-session' } },
  };
  const endpoints = Object.entries(DASHBOARD_ENDPOINTS) as [DashboardEndpointName, DashboardEndpoint][];
  return openApiOf(
    about,
    endpoints.map(([name, endpoint]) => {
      const { needs } = endpoint;
      const need = needs && needs !== 'self' ? `Needs a role that may \`${needs}\`.` : '';
      const description = `${endpoint.description ?? ''}\n\n${need}`.trim();
      const answers = dashboardAnswersOf(name);
      const describe = (status: number) => describeAnswer(status, slugsOf(name));
      return { ...dashboardRoute(name), name, endpoint, description, isOpen: !needs, answers, describe };
    }),
  );
}

/** Everything an endpoint may answer, success and failure, as the schemas allowed for each status. */
export function dashboardAnswersOf(name: DashboardEndpointName): Map<number, TSchema[]> {
  const endpoint: DashboardEndpoint = DASHBOARD_ENDPOINTS[name];
  const answers = new Map<number, TSchema[]>();
  const allow = (status: number, schema: TSchema) => answers.set(status, [...(answers.get(status) ?? []), schema]);
  for (const [status, schema] of Object.entries(endpoint.answers)) allow(Number(status), schema);
  for (const slug of slugsOf(name)) allow(definitionOf(slug).status, envelopeOf(slug));
  if (endpoint.body || endpoint.query || endpoint.headers) allow(400, DashboardFieldErrors);
  if (endpoint.body) for (const status of [400, 413, 415]) allow(status, MessageOnly);
  if (endpoint.findsOne) allow(404, MessageOnly);
  allow(429, RateLimited);
  return answers;
}

function slugsOf(name: DashboardEndpointName): Slug[] {
  const { needs, refusals = [] }: DashboardEndpoint = DASHBOARD_ENDPOINTS[name];
  const changes = dashboardRoute(name).method !== 'GET';
  return [
    ...(needs ? (['NOT_SIGNED_IN'] as const) : []),
    ...(changes ? (['FOREIGN_ORIGIN'] as const) : []),
    ...(changes && needs ? (['BAD_CSRF_TOKEN'] as const) : []),
    ...(needs && needs !== 'self' ? (['ROLE_NOT_ALLOWED'] as const) : []),
    ...refusals,
    'INTERNAL_ERROR',
  ];
}

const isOwn = (slug: Slug): slug is DashboardErrorSlug => slug in DASHBOARD_SLUGS;
const definitionOf = (slug: Slug) => (isOwn(slug) ? DASHBOARD_SLUGS[slug] : ERROR_SLUGS[slug]);
const envelopeOf = (slug: Slug) => (isOwn(slug) ? dashboardSlugEnvelope(slug) : slugEnvelope(slug));

function describeAnswer(status: number, slugs: Slug[]): string {
  const causes = slugs.map((slug) => ({ slug, ...definitionOf(slug) })).filter((known) => known.status === status);
  return describeStatus(
    status,
    causes,
    status === 404 ? ['Unknown, or another account’s: the two cannot be told apart.'] : [],
  );
}
