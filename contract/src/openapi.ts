import type { TSchema } from 'typebox';
import { answersOf, anyOf, slugsOf } from './answers.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { ERROR_SLUGS } from './errors.ts';
import { DEFAULT_RATE_LIMITS } from './limits.ts';
import { scopeOf } from './scopes.ts';

type Json = Record<string, unknown>;

/** OpenAPI 3.1 from the endpoint table: nothing in it is written anywhere else. */
export function buildOpenApi(publicUrl = ''): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operation(name, endpoint, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Navette API', version: '1.0.0', description: introduction() },
    servers: [{ url: `${publicUrl}${BASE_PATH}` }],
    security: [{ apiKey: [], clientId: [] }],
    tags: [...new Set(Object.values<Endpoint>(ENDPOINTS).map((endpoint) => endpoint.section))].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
        clientId: { type: 'apiKey', in: 'header', name: 'X-Client-Id', description: 'The account’s client id.' },
      },
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function operation(name: string, endpoint: Endpoint, components: Json): Json {
  const planned = endpoint.planned ? '**Not served yet.** ' : '';
  const description =
    `${planned}${endpoint.description ?? ''}\n\nNeeds the scope \`${scopeOf(endpoint.method)}\`.`.trim();
  const parameters = [
    ...parametersOf('path', endpoint.params),
    ...parametersOf('query', endpoint.query),
    ...parametersOf('header', endpoint.headers),
  ];
  return {
    operationId: name,
    tags: [endpoint.section],
    summary: endpoint.summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: hoist(endpoint.body, components) } },
          },
        }
      : {}),
    responses: Object.fromEntries(
      [...answersOf(endpoint)]
        .sort(([a], [b]) => a - b)
        .map(([status, schemas]) => [status, response(status, schemas, endpoint, components)]),
    ),
  };
}

function response(status: number, schemas: TSchema[], endpoint: Endpoint, components: Json): Json {
  const slugs = slugsOf(endpoint).filter((slug) => ERROR_SLUGS[slug].status === status);
  const causes = [
    ...slugs.map((slug) => `\`${slug}\`: ${ERROR_SLUGS[slug].cause} ${ERROR_SLUGS[slug].remedy}`),
    ...(status === 400 && endpoint.messageOnly ? [`Message only: ${endpoint.messageOnly}`] : []),
    ...(status === 404 ? ['Unknown, or of another account: the two cannot be told apart.'] : []),
    ...(status === 429 ? ['A request window is used up. Only for `minute` does `X-RateLimit-Reset` tell when.'] : []),
  ];
  const description = causes.join('\n\n') || (STATUS_TEXT[status] ?? 'Answer');
  const schema = anyOf(schemas) as TSchema & { contentMediaType?: string; type?: unknown; anyOf?: unknown };
  if (schema.type === undefined && schema.anyOf === undefined) return { description };
  return {
    description,
    content: { [schema.contentMediaType ?? 'application/json']: { schema: hoist(schema, components) } },
  };
}

const STATUS_TEXT: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  207: 'Some were created, some were not.',
  302: 'The label is at `Location`.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
};

function parametersOf(place: 'path' | 'query' | 'header', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }));
}

/** Moves every schema that has a title to the components and leaves a reference in its place. */
function hoist(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const walked = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, components)]));
  if (typeof walked.title !== 'string') return walked;
  const nullable = Array.isArray(walked.type) && walked.type.includes('null');
  const component = nullable ? { ...walked, type: 'object' } : walked;
  const known = components[walked.title];
  if (known && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`two schemas are called ${walked.title}`);
  components[walked.title] = component;
  const reference = { $ref: `#/components/schemas/${walked.title}` };
  return nullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

function introduction(): string {
  const { minute, hour, day } = DEFAULT_RATE_LIMITS;
  return [
    'Create shipments, print labels, follow parcels, and hear of every step.',
    'Every call carries `Authorization: Bearer <key>` and `X-Client-Id`. Branch on the HTTP status and on `error`; `message` is prose.',
    `An account may make ${minute} requests a minute, ${hour} an hour and ${day} a day, unless the operator raised that.`,
  ].join('\n\n');
}
