import { answersOf, slugsOf } from './answers.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { ERROR_SLUGS } from './errors.ts';
import { FEED_ENDPOINTS } from './event-feed.ts';
import { DEFAULT_RATE_LIMITS } from './limits.ts';
import { type Json, openApiOf } from './openapi-parts.ts';
import { EVENT_MEANINGS, WEBHOOK_HEADERS, WebhookEventBody } from './schemas/webhook-event.ts';
import { scopeOf } from './scopes.ts';
import { TEST_ENDPOINTS } from './test-mode.ts';

/** Generated from the endpoint tables only. */
export function buildOpenApi(publicUrl = ''): Json {
  const about = {
    title: 'Navette API',
    description: introduction(),
    url: `${publicUrl}${BASE_PATH}`,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
      clientId: { type: 'apiKey', in: 'header', name: 'X-Client-Id', description: 'The account’s client id.' },
    },
    webhooks: { body: WebhookEventBody, headers: WEBHOOK_HEADERS, events: EVENT_MEANINGS },
  };
  return openApiOf(
    about,
    Object.entries<Endpoint>({ ...ENDPOINTS, ...FEED_ENDPOINTS, ...TEST_ENDPOINTS }).map(([name, endpoint]) => {
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
    ...(status === 404 ? ['Unknown, or of another account: both cases give the same response.'] : []),
    ...(status === 429
      ? ['The request limit is reached. `X-RateLimit-Reset` gives the end of the window, for `minute` only.']
      : []),
  ];
  return causes.join('\n\n') || (STATUS_TEXT[status] ?? 'Response');
}

const STATUS_TEXT: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  207: 'Some entries were created, others were refused.',
  302: '`Location` is the URL of the label.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
};

function introduction(): string {
  const { minute, hour, day } = DEFAULT_RATE_LIMITS;
  return [
    'Create shipments, print labels, track parcels, and receive webhooks for every step.',
    'Send `Authorization: Bearer <key>` and `X-Client-Id` with every request. Branch on the HTTP status and on `error`; `message` is text for people.',
    'In a request body, `null` means absent and unknown fields are ignored, so you can send back a document that you have read.',
    `The limits per account are ${minute} requests a minute, ${hour} an hour and ${day} a day, unless the operator has set others.`,
  ].join('\n\n');
}
