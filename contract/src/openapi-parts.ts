import type { TSchema } from 'typebox';
import { anyOf } from './answers.ts';
import type { EndpointShape } from './endpoint-shape.ts';

export type Json = Record<string, unknown>;

/** An endpoint of one of the tables, with the parts that differ between the tables. */
export interface Operation {
  name: string;
  method: string;
  path: string;
  endpoint: EndpointShape;
  description: string;
  /** Served without authentication. */
  isOpen?: boolean;
  isBodyRequired?: boolean;
  answers: Map<number, TSchema[]>;
  describe: (status: number) => string;
}

export interface About {
  title: string;
  description: string;
  url: string;
  /** A request must satisfy all of them. */
  securitySchemes: Record<string, Json>;
  /** Requests that the service sends, by event. */
  webhooks?: SentRequests;
}

interface SentRequests {
  body: TSchema;
  /** Descriptions by name. */
  headers: Record<string, string>;
  /** Descriptions by event. */
  events: Record<string, string>;
}

/** The description of a status: the causes of its slugs, or a general text. */
export const describeStatus = (
  status: number,
  causes: readonly { cause: string; remedy: string; slug: string }[],
  more: string[] = [],
): string =>
  [...causes.map(({ slug, cause, remedy }) => `\`${slug}\`: ${cause} ${remedy}`), ...more].join('\n\n') ||
  (STATUS_TEXT[status] ?? 'Done.');

const STATUS_TEXT: Record<number, string> = {
  400: 'Fields are missing or invalid, or the body cannot be parsed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests: wait and retry.',
  500: 'Internal error: send the request again.',
};

/** OpenAPI 3.1 of one table of endpoints. */
export function openApiOf(about: About, operations: Operation[]): Json {
  const { title, description, url, securitySchemes } = about;
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = present(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description },
    servers: [{ url }],
    security: [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]))],
    tags: [...new Set(operations.map(({ endpoint }) => endpoint.section))].map((name) => ({ name })),
    paths,
    ...(about.webhooks ? { webhooks: presentSent(about.webhooks, components) } : {}),
    components: {
      securitySchemes,
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function present(operation: Operation, components: Json): Json {
  const { name, endpoint, description, isOpen, isBodyRequired, answers, describe } = operation;
  const parameters = [
    ...parametersOf('path', endpoint.params),
    ...parametersOf('query', endpoint.query),
    ...parametersOf('header', endpoint.headers),
  ];
  const requestBody = endpoint.body && {
    ...(isBodyRequired ? { required: true } : {}),
    content: { 'application/json': { schema: hoist(endpoint.body, components) } },
  };
  return {
    operationId: name,
    tags: [endpoint.section],
    summary: endpoint.summary,
    description,
    ...(isOpen ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(
      [...answers]
        .sort(([a], [b]) => a - b)
        .map(([status, schemas]) => [
          status,
          { description: describe(status), ...contentOf(anyOf(schemas), components) },
        ]),
    ),
  };
}

function presentSent({ body, headers, events }: SentRequests, components: Json): Json {
  const parameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const requestBody = { required: true, content: { 'application/json': { schema: hoist(body, components) } } };
  const responses = { '2XX': { description: 'Received. Everything else, or no response within 5 s, is a failure.' } };
  return Object.fromEntries(
    Object.entries(events).map(([event, description]) => {
      const operationId = event.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
      const post = { operationId, summary: event, description, security: [], parameters, requestBody, responses };
      return [event, { post }];
    }),
  );
}

function contentOf(schema: TSchema & { contentMediaType?: string; type?: unknown; anyOf?: unknown }, components: Json) {
  if (schema.type === undefined && schema.anyOf === undefined) return {};
  const mediaTypes = schema.contentMediaType?.split(', ');
  if (!mediaTypes) return { content: { 'application/json': { schema: hoist(schema, components) } } };
  const files = mediaTypes.map((contentMediaType) => [contentMediaType, { schema: { ...schema, contentMediaType } }]);
  return { content: Object.fromEntries(files) };
}

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

/** Moves every schema with a title to the components and replaces it with a reference. */
function hoist(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const walked = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, components)]));
  if (typeof walked.title !== 'string') return walked;
  const nullable = Array.isArray(walked.type) && walked.type.includes('null');
  const component = nullable ? { ...walked, type: 'object' } : walked;
  const known = components[walked.title];
  if (known && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`two different schemas have the title ${walked.title}`);
  components[walked.title] = component;
  const reference = { $ref: `#/components/schemas/${walked.title}` };
  return nullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}
