import type { ErrorObject } from 'ajv';

interface Schema {
  type?: string | string[];
  maxItems?: number;
  properties?: Record<string, Schema>;
}

interface Bound {
  path: string[];
  max: number;
}

/**
 * Finds lists of a body that are longer than the schema allows, without validating their entries. Such a body is refused
 * for that alone: a million invalid entries in a small body would each become an error and block the event loop.
 * Returns null when the schema limits no list.
 */
export function compileListBounds(schema: object): ((body: unknown) => ErrorObject[]) | null {
  const bounds = findBounds(schema as Schema, []);
  if (bounds.length === 0) return null;
  return (body) => bounds.flatMap((bound) => (lengthAt(body, bound.path) > bound.max ? tooLong(bound) : []));
}

function findBounds({ type, maxItems, properties = {} }: Schema, path: string[]): Bound[] {
  if ([type].flat().includes('array')) return maxItems === undefined ? [] : [{ path, max: maxItems }];
  return Object.entries(properties).flatMap(([name, inner]) => findBounds(inner, [...path, name]));
}

function lengthAt(body: unknown, path: string[]): number {
  const list = path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);
  return Array.isArray(list) ? list.length : 0;
}

const tooLong = ({ path, max }: Bound): ErrorObject => ({
  instancePath: path.map((name) => `/${name}`).join(''),
  keyword: 'maxItems',
  schemaPath: '',
  params: { limit: max },
});
