import type { TSchema } from 'typebox';
import { FieldErrors, MessageOnly, RateLimited, slugEnvelope } from '../errors.ts';
import { describeStatus, type Json, openApiOf } from '../openapi-parts.ts';
import { DRIVER_BASE_PATH, DRIVER_ENDPOINTS, DRIVER_SOCKET_PATH, type DriverEndpoint } from './endpoints.ts';
import { DRIVER_SLUGS, type DriverErrorSlug, driverSlugEnvelope } from './errors.ts';
import { DRIVER_PUSHES } from './pushes.ts';

/** The driver API for machines, from its table, like the merchants'. The real-time channel is told in its prose. */
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
      const channel = isOpen ? 'Over HTTP only.' : `Over the real-time channel: \`${name}\`.`;
      const description = `${endpoint.description ?? ''}\n\n${channel}`.trim();
      const answers = driverAnswersOf(endpoint);
      const describe = (status: number) => describeAnswer(status, endpoint);
      return { name, method, path, endpoint, description, isOpen, answers, describe };
    }),
  );
}

/** Everything a command may answer, success and failure, as the schemas allowed for each status. */
export function driverAnswersOf(endpoint: DriverEndpoint): Map<number, TSchema[]> {
  const answers = new Map<number, TSchema[]>();
  const allow = (status: number, schema: TSchema) => answers.set(status, [...(answers.get(status) ?? []), schema]);
  for (const [status, schema] of Object.entries(endpoint.answers)) allow(Number(status), schema);
  for (const slug of slugsOf(endpoint)) allow(DRIVER_SLUGS[slug].status, driverSlugEnvelope(slug));
  if (endpoint.body) {
    allow(400, FieldErrors);
    for (const status of [400, 413, 415]) allow(status, MessageOnly);
  }
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
    status === 404 ? ['Unknown, or another driver’s: the two cannot be told apart.'] : [],
  );
}

function introduction(): string {
  const pushes = Object.entries<TSchema & { description?: string }>(DRIVER_PUSHES).map(
    ([name, { description }]) => `- \`${name}\`: ${description ?? ''}`,
  );
  return [
    'What the driver app says and hears. Messages are in French and made to be shown; branch on the status and on `error`.',
    `**Real-time channel.** Socket.IO at \`${DRIVER_SOCKET_PATH}\`, with \`{token}\` as \`auth\`. Every command below but signing in is also an event with the operation’s name: one object with the fields of path and body, and an acknowledgement \`{status, body}\` with what HTTP would answer. The server says by itself:`,
    pushes.join('\n'),
  ].join('\n\n');
}
