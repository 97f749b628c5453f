/** The parts of an OpenAPI 3.1 document that the reference shows. */

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  title?: string;
  description?: string;
  format?: string;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  deprecated?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  info: { title: string; description: string; version: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/** The schema itself, where it is a reference; `null` beside it is reported separately. */
export function resolveSchema(document: OpenApi, schema: Schema): { schema: Schema; isNullable: boolean } {
  if (schema.$ref) {
    const found = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (!found) throw new Error(`unknown reference ${schema.$ref}`);
    return { schema: found, isNullable: false };
  }
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (schema.anyOf && parts?.length === 1 && parts[0]) {
    const { schema: only } = resolveSchema(document, parts[0]);
    return {
      schema: { ...only, ...(schema.description ? { description: schema.description } : {}) },
      isNullable: true,
    };
  }
  const isNullable =
    schema.anyOf?.length !== parts?.length || (Array.isArray(schema.type) && schema.type.includes('null'));
  return { schema, isNullable };
}

/** An example of the schema: its own, or one put together from its fields. */
export function exampleOf(document: OpenApi, given: Schema): unknown {
  const { schema } = resolveSchema(document, given);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(document, schema.anyOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field)]));
  }
  if (type === 'array') return schema.items ? [exampleOf(document, schema.items)] : [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  return EXAMPLES_BY_FORMAT[schema.format ?? ''] ?? '…';
}

const EXAMPLES_BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-16T09:30:00.000Z',
  date: '2026-11-16',
  'iso-date': '2026-11-16',
  uri: 'https://shop.example.org/navette',
  'idn-email': 'camille@example.org',
};
