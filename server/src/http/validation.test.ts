import {
  DASHBOARD_ENDPOINTS,
  DRIVER_ENDPOINTS,
  ENDPOINTS,
  type FieldError,
  MAX_EXPORTED_LABELS,
} from '@navette/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileBodyValidator, compileValidator, toFieldErrors } from './validation.ts';

const Parcel = Type.Object({
  weight: Type.Number({ exclusiveMinimum: 0 }),
  fragile: Type.Optional(Type.Boolean()),
  lines: Type.Optional(Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) }))),
});

function errorsOf(data: unknown): FieldError[] {
  const validate = compileBodyValidator(Parcel);
  return validate(data) ? [] : toFieldErrors(validate.errors ?? [], 'body');
}

const validatorOf = (httpPart: string, schema: object) =>
  compileValidator({ schema, httpPart, method: 'GET', url: '/' } as FastifyRouteSchemaDef<object>);

describe('a body', () => {
  test('says what it means: nothing is converted', () => {
    expect(errorsOf({ weight: 1, fragile: true })).toEqual([]);
    for (const fragile of ['true', 1, null]) expect(errorsOf({ weight: 1, fragile })).toHaveLength(1);
  });

  test('gets all its errors at once, one for each field, in French', () => {
    expect(errorsOf({ fragile: 'true', lines: [{ name: 'a' }, { name: '' }, {}] })).toEqual([
      { type: 'field', msg: 'Champ obligatoire.', path: 'weight', location: 'body' },
      { type: 'field', msg: 'Doit être un booléen (true ou false).', path: 'fragile', location: 'body' },
      { type: 'field', msg: 'Ne doit pas être vide.', path: 'lines[1].name', location: 'body' },
      { type: 'field', msg: 'Champ obligatoire.', path: 'lines[2].name', location: 'body' },
    ]);
  });

  test.each([null, [], 'text', 1])('%j is no object, which is an error of the whole', (data) => {
    expect(errorsOf(data)).toEqual([{ type: 'field', msg: 'Doit être un objet.', path: '', location: 'body' }]);
  });
});

describe('a list in a body', () => {
  const validate = validatorOf('body', ENDPOINTS.exportLabels.body);
  const errorsOfExport = (shippingIds: unknown) => {
    const passed = validate({ scope: 'selected', shippingIds });
    return passed === true ? [] : toFieldErrors((passed as { error: ErrorObject[] }).error, 'body');
  };

  test('that is longer than it may be gets this one error, whatever is in it', () => {
    const msg = `Au plus ${MAX_EXPORTED_LABELS} éléments.`;
    expect(errorsOfExport(Array(MAX_EXPORTED_LABELS + 1).fill(0))).toEqual([
      { type: 'field', msg, path: 'shippingIds', location: 'body' },
    ]);
    expect(errorsOfExport(Array(MAX_EXPORTED_LABELS).fill(0))).toHaveLength(MAX_EXPORTED_LABELS);
    for (const shippingIds of [Array(MAX_EXPORTED_LABELS).fill('x'), []])
      expect(errorsOfExport(shippingIds)).toEqual([]);
    for (const shippingIds of [null, 'x', { length: 5_000 }]) expect(errorsOfExport(shippingIds)).toHaveLength(1);
  });

  test.each([ENDPOINTS, DASHBOARD_ENDPOINTS, DRIVER_ENDPOINTS])(
    'has a bound, unless nothing is asked of its entries',
    (endpoints) => {
      const bodies = Object.values(endpoints as Record<string, { body?: object }>).map(({ body }) => body ?? {});
      expect(bodies.flatMap((body) => unboundedLists(body as Schema))).toEqual([]);
    },
  );
});

interface Schema {
  type?: string;
  items?: object;
  maxItems?: number;
  properties?: Record<string, Schema>;
}

const unboundedLists = ({ type, items = {}, maxItems, properties = {} }: Schema): object[] =>
  type === 'array'
    ? maxItems === undefined && Object.keys(items).length > 0
      ? [items]
      : []
    : Object.values(properties).flatMap(unboundedLists);

describe('a query', () => {
  const schema = { type: 'object', properties: { page: { type: 'integer', maximum: 9 }, name: { type: 'string' } } };

  test('is text, so numbers in it are converted', () => {
    const query = { page: '2' };
    expect(validatorOf('querystring', schema)(query)).toBe(true);
    expect(query).toEqual({ page: 2 });
  });

  test.each([
    [{ page: 'x', name: 'a\0b' }, ['page', 'name']],
    [{ page: '1e999' }, ['page']],
    [{ page: '-1e999' }, ['page']],
    [{ page: '10' }, ['page']],
  ])('%j gets an error for %j: beside what breaks the schema, what no database takes', (query, paths) => {
    const { error } = validatorOf('querystring', schema)(query) as { error: Parameters<typeof toFieldErrors>[0] };
    expect(toFieldErrors(error, 'query').map(({ path }) => path)).toEqual(paths);
  });
});
