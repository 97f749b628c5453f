import type { TSchema } from 'typebox';
import { FieldErrors, MessageOnly, RateLimited, slugEnvelope } from '../errors.ts';
import { describeStatus, type Json, openApiOf } from '../openapi-parts.ts';
import { DRIVER_ENDPOINTS, type DriverEndpoint, isSocketCommand } from './endpoints.ts';
import { DRIVER_SLUGS, type DriverErrorSlug, driverSlugEnvelope } from './errors.ts';
import { DRIVER_PUSHES } from './pushes.ts';
import { DRIVER_BASE_PATH, DRIVER_SOCKET_PATH } from './routes.ts';

/** The OpenAPI document of the driver API, generated from its table. Its introduction describes the real-time channel. */
export function buildDriverOpenApi(publicUrl = ''): Json {
  const about = {
    title: 'Navette driver API',
    description: introduction(),
    url: `${publicUrl}${DRIVER_BASE_PATH}`,
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'The token of a session.' } },
  };
  return openApiOf(
    about,
    Object.entries<DriverEndpoint>(DRIVER_ENDPOINTS).map(([name, endpoint]) => {
      const { method, path, open: isOpen = false } = endpoint;
      const channel = isSocketCommand(endpoint) ? `Over the real-time channel: \`${name}\`.` : 'Over HTTP only.';
      const description = `${endpoint.description ?? ''}\n\n${channel}`.trim();
      const answers = driverAnswersOf(endpoint);
      const describe = (status: number) => describeAnswer(status, endpoint);
      return { name, method, path, endpoint, description, isOpen, answers, describe };
    }),
  );
}

/** Every response of a command, success and failure: the allowed schemas by status. */
export function driverAnswersOf(endpoint: DriverEndpoint): Map<number, TSchema[]> {
  const answers = new Map<number, TSchema[]>();
  const allow = (status: number, schema: TSchema) => answers.set(status, [...(answers.get(status) ?? []), schema]);
  for (const [status, schema] of Object.entries(endpoint.answers)) allow(Number(status), schema);
  for (const slug of slugsOf(endpoint)) allow(DRIVER_SLUGS[slug].status, driverSlugEnvelope(slug));
  if (endpoint.body || endpoint.query) allow(400, FieldErrors);
  if (endpoint.body) {
    for (const status of [400, 413, 415]) allow(status, MessageOnly);
  }
  if (endpoint.query) allow(400, FieldErrors);
  if (endpoint.findsOne) allow(404, MessageOnly);
  allow(429, RateLimited);
  allow(500, slugEnvelope('INTERNAL_ERROR'));
  return answers;
}

const slugsOf = ({ open, refusals = [] }: DriverEndpoint): DriverErrorSlug[] => [
  ...(open ? [] : (['MISSING_TOKEN', 'INVALID_TOKEN'] as const)),
  ...refusals,
];

function describeAnswer(status: number, endpoint: DriverEndpoint): string {
  const causes = slugsOf(endpoint)
    .map((slug) => ({ slug, ...DRIVER_SLUGS[slug] }))
    .filter((known) => known.status === status);
  return describeStatus(
    status,
    causes,
    status === 404 ? ['Unknown, or another driver’s: both cases give the same response.'] : [],
  );
}

function introduction(): string {
  const pushes = Object.entries<TSchema & { description?: string }>(DRIVER_PUSHES).map(
    ([name, { description }]) => `- \`${name}\`: ${description ?? ''}`,
  );
  return [
    'The API of the driver app. Messages are in French and can be displayed; branch on the status and on `error`.',
    `**Real-time channel.** Socket.IO at \`${DRIVER_SOCKET_PATH}\`, with \`{token}\` as \`auth\`. Every operation below that is not marked “Over HTTP only” is also an event with the operation’s name: one object with the fields of path and body, and an acknowledgement \`{status, body}\` with the response that HTTP would return. The server pushes:`,
    pushes.join('\n'),
  ].join('\n\n');
}
