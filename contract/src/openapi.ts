import { answersOf, slugsOf } from './answers.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { ERROR_SLUGS } from './errors.ts';
import { DEFAULT_RATE_LIMITS } from './limits.ts';
import { type Json, openApiOf } from './openapi-parts.ts';
import { scopeOf } from './scopes.ts';

/** Nothing in it is written anywhere else than in the table. */
export function buildOpenApi(publicUrl = ''): Json {
  const about = {
    title: 'Navette API',
    description: introduction(),
    url: `${publicUrl}${BASE_PATH}`,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
      clientId: { type: 'apiKey', in: 'header', name: 'X-Client-Id', description: 'The account’s client id.' },
    },
  };
  return openApiOf(
    about,
    Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => {
      const { method, path } = endpoint;
      const description = `${endpoint.description ?? ''}\n\nNeeds the scope \`${scopeOf(method)}\`.`.trim();
      const answers = answersOf(endpoint);
      const describe = (status: number) => describeAnswer(status, endpoint);
      return { name, method, path, endpoint, description, isBodyRequired: true, answers, describe };
    }),
  );
}

function describeAnswer(status: number, endpoint: Endpoint): string {
  const slugs = slugsOf(endpoint).filter((slug) => ERROR_SLUGS[slug].status === status);
  const causes = [
    ...slugs.map((slug) => `\`${slug}\`: ${ERROR_SLUGS[slug].cause} ${ERROR_SLUGS[slug].remedy}`),
    ...(status === 400 && endpoint.messageOnly ? [`Message only: ${endpoint.messageOnly}`] : []),
    ...(status === 404 ? ['Unknown, or of another account: the two cannot be told apart.'] : []),
    ...(status === 429 ? ['A request window is used up. Only for `minute` does `X-RateLimit-Reset` tell when.'] : []),
  ];
  return causes.join('\n\n') || (STATUS_TEXT[status] ?? 'Answer');
}

const STATUS_TEXT: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  207: 'Some were created, some were not.',
  302: 'The label is at `Location`.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
};

function introduction(): string {
  const { minute, hour, day } = DEFAULT_RATE_LIMITS;
  return [
    'Create shipments, print labels, follow parcels, and hear of every step.',
    'Every call carries `Authorization: Bearer <key>` and `X-Client-Id`. Branch on the HTTP status and on `error`; `message` is prose.',
    `An account may make ${minute} requests a minute, ${hour} an hour and ${day} a day, unless the operator raised that.`,
  ].join('\n\n');
}
