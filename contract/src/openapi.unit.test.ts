import { describe, expect, test } from 'vitest';
import { buildOpenApi } from './openapi.ts';

interface Schema {
  $ref?: string;
  description?: string;
  anyOf?: Schema[];
  type?: unknown;
  properties?: Record<string, Schema>;
}

const document = buildOpenApi() as {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; description?: string }[] }>>;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, Schema> };
};

function isDescribed(schema: Schema): boolean {
  if (schema.description) return true;
  if (schema.$ref) return isDescribed(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  return schema.anyOf?.some((part) => part.type !== 'null' && isDescribed(part)) ?? false;
}

/** Paths of the fields without a description, anywhere in a part of the document. */
function undescribed(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties } = part as Schema;
  const own = typeof properties === 'object' ? Object.entries(properties) : [];
  return [
    ...own.filter(([, schema]) => !isDescribed(schema)).map(([name]) => `${path}.${name}`),
    ...Object.entries(part).flatMap(([key, value]) => (key === 'examples' ? [] : undescribed(value, `${path}/${key}`))),
  ];
}

describe('the merchant API', () => {
  test('every field of every request, response and event has a description', () => {
    expect(undescribed(document, '')).toEqual([]);
  });

  test('every parameter has a description', () => {
    const parameters = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, parameters = [] }) => parameters.map((parameter) => ({ operationId, ...parameter })));
    expect(parameters.length).toBeGreaterThan(10);
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
  });
});
