import {
  ENDPOINTS,
  type Endpoint,
  ERROR_SLUGS,
  FEED_ENDPOINTS,
  SHIPMENT_STATUSES,
  TEST_ENDPOINTS,
  WEBHOOK_EVENTS,
} from '@navette/contract';

const ALL_ENDPOINTS = { ...ENDPOINTS, ...FEED_ENDPOINTS, ...TEST_ENDPOINTS };

interface Schema {
  type?: string | string[];
  enum?: (string | null)[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  title?: string;
  description?: string;
}

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface OpenApiOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const generated = '// Generated from contract/ by `npm run generate`; edits are lost.\n';

/** The types of sdk/src/generated/api-types.ts: the schemas of the OpenAPI document, and its operations by name. */
export function sdkTypes(document: object): string {
  const { paths, components } = document as OpenApi;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const extras = Object.entries(ERROR_SLUGS).map(([slug, { extra }]) => {
    const properties = extra as Record<string, Schema>;
    return `  ${slug}: ${typeOf({ type: 'object', properties, required: Object.keys(extra) }, '  ')};\n`;
  });
  return [
    generated,
    `export type ShipmentStatus = ${union(SHIPMENT_STATUSES)};\n`,
    `export type WebhookEventName = ${union(WEBHOOK_EVENTS)};\n`,
    ...named,
    '/** Query parameters by operation. */',
    `export interface Queries {\n${operations.map(queryOf).join('')}}\n`,
    '/** Request bodies by operation. */',
    `export interface Bodies {\n${operations.map(bodyOf).join('')}}\n`,
    '/** Successful JSON responses by operation. */',
    `export interface Answers {\n${operations.map(answersOf).join('')}}\n`,
    '/** The fields that a refusal has in addition to its slug and message. */',
    `export interface ErrorFields {\n${extras.join('')}  VALIDATION_ERROR: { details: string };\n}\n`,
    'export type ErrorSlug = keyof ErrorFields;\n',
  ].join('\n');
}

/** Remedies by slug for sdk/src/generated/remedies.ts. */
export function sdkRemedies(): string {
  const lines = remedies().map(([slug, remedy]) => `  ${slug}: ${quoted(remedy)},\n`);
  return `${generated}\n/** How to resolve each refusal of the contract. */\nexport const REMEDIES: Record<string, string> = {\n${lines.join('')}};\n`;
}

/** The same table as lines of a PHP array. */
export const phpRemedies = (): string =>
  `${remedies()
    .map(([slug, remedy]) => `        '${slug}' => ${quoted(remedy)},\n`)
    .join('')}        // `;

function remedies(): [string, string][] {
  const business = Object.entries(ERROR_SLUGS).map(([slug, { remedy }]): [string, string] => [slug, remedy]);
  return [...business, ['VALIDATION_ERROR', 'Read `details`, in logs only.']];
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
const union = (values: readonly (string | null)[]) =>
  values.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ');
const comment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : '';

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, indent)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum) return union(schema.enum);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array':
      return arrayType(schema, indent);
    case 'integer':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function arrayType({ items = {} }: Schema, indent: string): string {
  const item = typeOf(items, indent);
  return item.includes('|') ? `(${item})[]` : `${item}[]`;
}

/** Optional fields also accept `undefined`, which JSON leaves out. */
function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties) return 'Record<string, unknown>';
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const description = schema.$ref ? undefined : schema.description;
    return `${comment(description, inner)}${inner}${name}${isOptional ? '?' : ''}: ${typeOf(schema, inner)}${isOptional ? ' | undefined' : ''};\n`;
  });
  const open = additionalProperties === true ? `${inner}[field: string]: unknown;\n` : '';
  return fields.length === 0 && !open ? 'Record<never, never>' : `{\n${fields.join('')}${open}${indent}}`;
}

function queryOf({ operationId, parameters = [] }: OpenApiOperation): string {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return '';
  const properties = Object.fromEntries(
    inQuery.map(({ name, description, schema }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  );
  return `  ${operationId}: ${typeOf({ type: 'object', properties }, '  ')};\n`;
}

function bodyOf({ operationId, requestBody }: OpenApiOperation): string {
  return requestBody ? `  ${operationId}: ${typeOf(requestBody.content['application/json'].schema, '  ')};\n` : '';
}

/** A batch of which no entry was created is a 400 with the same body as a success. */
function answersOf({ operationId, responses }: OpenApiOperation): string {
  const endpoint: Endpoint = ALL_ENDPOINTS[operationId as keyof typeof ALL_ENDPOINTS];
  const bodies = Object.keys(endpoint.answers)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => responses[status]?.content?.['application/json']?.schema ?? []);
  const types = [...new Set(bodies.map((schema) => typeOf(schema, '  ')))];
  return types.length === 0 ? '' : `  ${operationId}: ${types.join(' | ')};\n`;
}
