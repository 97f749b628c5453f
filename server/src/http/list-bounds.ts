import type { ErrorObject } from 'ajv';

interface Schema {
  type?: string | string[];
  maxItems?: number;
  properties?: Record<string, Schema>;
}

interface Bound {
  path: string[];
  most: number;
}

/**
 * Finds the lists of a body that are longer than its schema lets them be, without looking into them. They are refused
 * for that alone: a million wrong entries in a small body would each become an error, and hold up the whole process.
 * Null when the schema has no such list.
 */
export function compileListBounds(schema: object): ((body: unknown) => ErrorObject[]) | null {
  const bounds = findBounds(schema as Schema, []);
  if (bounds.length === 0) return null;
  return (body) => bounds.flatMap((bound) => (lengthAt(body, bound.path) > bound.most ? tooLong(bound) : []));
}

function findBounds({ type, maxItems, properties = {} }: Schema, path: string[]): Bound[] {
  if ([type].flat().includes('array')) return maxItems === undefined ? [] : [{ path, most: maxItems }];
  return Object.entries(properties).flatMap(([name, inner]) => findBounds(inner, [...path, name]));
}

function lengthAt(body: unknown, path: string[]): number {
  const list = path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);
  return Array.isArray(list) ? list.length : 0;
}

const tooLong = ({ path, most }: Bound): ErrorObject => ({
  instancePath: path.map((name) => `/${name}`).join(''),
  keyword: 'maxItems',
  schemaPath: '',
  params: { limit: most },
});
