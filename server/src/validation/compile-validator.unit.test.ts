import {
  CONSOLE_ENDPOINTS,
  DASHBOARD_ENDPOINTS,
  DRIVER_ENDPOINTS,
  ENDPOINTS,
  type EndpointShape,
  type FieldError,
  MAX_EXPORTED_LABELS,
  Nullable,
} from '@navette/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileBodyValidator, compileValidator } from './compile-validator.ts';
import { toFieldErrors } from './field-errors.ts';

const Parcel = Type.Object({
  weight: Type.Number({ exclusiveMinimum: 0 }),
  fragile: Type.Optional(Type.Boolean()),
  lines: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) })),
  ),
  from: Type.Optional(Type.Object({ city: Type.String(), place: Type.Optional(Type.Object({})) })),
  until: Type.Optional(Nullable(Type.String())),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const Place = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });

const errorsOf = (data: unknown) => errorsIn(Parcel, data);
function errorsIn(schema: object, data: unknown): FieldError[] {
  const validate = compileBodyValidator(schema);
  return validate(data) ? [] : toFieldErrors(validate.errors ?? [], 'body');
}

const validatorOf = (httpPart: string, schema: object) =>
  compileValidator({ schema, httpPart, method: 'GET', url: '/' } as FastifyRouteSchemaDef<object>);

test.each<Record<string, EndpointShape>>([ENDPOINTS, DRIVER_ENDPOINTS, DASHBOARD_ENDPOINTS, CONSOLE_ENDPOINTS])(
  'every schema compiles, which a start does not show',
  (endpoints) => {
    const schemas = Object.values(endpoints).flatMap(({ body, query: querystring, params, headers }) =>
      Object.entries({ body, querystring, params, headers }).flatMap(([part, schema]) =>
        schema ? [{ part, schema }] : [],
      ),
    );
    expect(schemas.length).toBeGreaterThan(10);
    for (const { part, schema } of schemas) validatorOf(part, schema)({});
  },
);

describe('a body', () => {
  test('is strict: no value is converted', () => {
    expect(errorsOf({ weight: 1, fragile: true })).toEqual([]);
    for (const fragile of ['true', 1]) expect(errorsOf({ weight: 1, fragile })).toHaveLength(1);
  });

  test('may contain null for an absent field: an optional field is absent then, a required one is missing', () => {
    const body = { weight: 1, fragile: null, lines: [{ name: 'a', size: null }], from: { place: null, city: 'Paris' } };
    expect(errorsOf(body)).toEqual([]);
    expect(body).toEqual({ weight: 1, lines: [{ name: 'a' }], from: { city: 'Paris' } });
    expect(errorsOf({ weight: null, lines: [{ name: null }, null] }).map(({ path, msg }) => [path, msg])).toEqual([
      ['weight', 'Champ obligatoire.'],
      ['lines[0].name', 'Champ obligatoire.'],
      ['lines[1]', 'Doit être un objet.'],
    ]);
  });

  test('keeps null in nullable fields and in free content', () => {
    const body = { weight: 1, until: null, free: { a: null, b: { c: null } }, from: { city: 'Paris', unknown: null } };
    expect(errorsOf(body)).toEqual([]);
    expect(body).toEqual({
      weight: 1,
      until: null,
      free: { a: null, b: { c: null } },
      from: { city: 'Paris', unknown: null },
    });
  });

  test.each([{}, { to: null }])(
    'without a required object gets errors for the required fields of that object: %j',
    (body) => {
      const Ordered = Type.Object({
        to: Type.Object({ city: Type.String(), place: Place, note: Type.Optional(Place) }),
      });
      expect(errorsIn(Ordered, body).map(({ path, msg }) => [path, msg])).toEqual([
        ['to.city', 'Champ obligatoire.'],
        ['to.place.latitude', 'Champ obligatoire.'],
        ['to.place.longitude', 'Champ obligatoire.'],
      ]);
    },
  );

  test('gets all errors at once, one per field, in French', () => {
    expect(errorsOf({ fragile: 'true', lines: [{ name: 'a' }, { name: '' }, {}] })).toEqual([
      { type: 'field', msg: 'Champ obligatoire.', path: 'weight', location: 'body' },
      { type: 'field', msg: 'Doit être un booléen (true ou false).', path: 'fragile', location: 'body' },
      { type: 'field', msg: 'Ne doit pas être vide.', path: 'lines[1].name', location: 'body' },
      { type: 'field', msg: 'Champ obligatoire.', path: 'lines[2].name', location: 'body' },
    ]);
  });

  test.each([null, [], 'text', 1])('%j is no object, which is an error of the whole body', (data) => {
    expect(errorsOf(data)).toEqual([{ type: 'field', msg: 'Doit être un objet.', path: '', location: 'body' }]);
  });
});

describe('a list in a body', () => {
  const validate = validatorOf('body', ENDPOINTS.exportLabels.body);
  const errorsOfExport = (shippingIds: unknown) => {
    const passed = validate({ scope: 'selected', shippingIds });
    return passed === true ? [] : toFieldErrors((passed as { error: ErrorObject[] }).error, 'body');
  };

  test('that is too long gets this one error, whatever its entries are', () => {
    const msg = `Au plus ${MAX_EXPORTED_LABELS} éléments.`;
    expect(errorsOfExport(Array(MAX_EXPORTED_LABELS + 1).fill(0))).toEqual([
      { type: 'field', msg, path: 'shippingIds', location: 'body' },
    ]);
    expect(errorsOfExport(Array(MAX_EXPORTED_LABELS).fill(0))).toHaveLength(MAX_EXPORTED_LABELS);
    for (const shippingIds of [Array(MAX_EXPORTED_LABELS).fill('x'), []])
      expect(errorsOfExport(shippingIds)).toEqual([]);
    for (const shippingIds of ['x', { length: 5_000 }]) expect(errorsOfExport(shippingIds)).toHaveLength(1);
    expect(errorsOfExport(null)).toEqual([]);
  });

  test.each([ENDPOINTS, DASHBOARD_ENDPOINTS, DRIVER_ENDPOINTS])(
    'has an upper bound, unless its entries have no schema',
    (endpoints) => {
      const bodies = Object.values(endpoints as Record<string, { body?: object }>).map(({ body }) => body ?? {});
      expect(bodies.flatMap((body) => unboundedLists(body as Schema))).toEqual([]);
    },
  );
});

describe('a text in a body', () => {
  const BOUNDED_BY_ITS_BODY = ['shippingIds', 'ids', 'text']; // looked up or parsed line by line; never stored as sent

  test.each([ENDPOINTS, DASHBOARD_ENDPOINTS, DRIVER_ENDPOINTS])('has an upper bound', (endpoints) => {
    const bodies = Object.values(endpoints as Record<string, { body?: object }>).map(({ body }) => body ?? {});
    const unbounded = bodies.flatMap((body) => unboundedTexts(body as Schema));
    expect(unbounded.filter((name) => !BOUNDED_BY_ITS_BODY.includes(name))).toEqual([]);
  });
});

interface Schema {
  type?: string | string[];
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  maxLength?: number;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
}

/** Names of texts without a bound. A date is bounded by its format, and an anchored text by its pattern. */
function unboundedTexts(schema: Schema, name = ''): string[] {
  const { type, items, properties = {}, maxLength, pattern = '', format = '' } = schema;
  if (items) return unboundedTexts(items, name);
  if (![type].flat().includes('string')) {
    return Object.entries(properties).flatMap(([inner, its]) => unboundedTexts(its, inner));
  }
  const isBounded = maxLength ?? schema.enum ?? schema.const ?? (pattern.startsWith('^') || format.includes('date'));
  return isBounded ? [] : [name];
}

const unboundedLists = ({ type, items = {}, maxItems, properties = {} }: Schema): object[] =>
  type === 'array'
    ? maxItems === undefined && Object.keys(items).length > 0
      ? [items]
      : []
    : Object.values(properties).flatMap(unboundedLists);

describe('a query', () => {
  const schema = { type: 'object', properties: { page: { type: 'integer', maximum: 9 }, name: { type: 'string' } } };

  test('is text, so numbers are converted', () => {
    const query = { page: '2' };
    expect(validatorOf('querystring', schema)(query)).toBe(true);
    expect(query).toEqual({ page: 2 });
  });

  test.each([
    [{ page: 'x', name: 'a\0b' }, ['page', 'name']],
    [{ page: '1e999' }, ['page']],
    [{ page: '-1e999' }, ['page']],
    [{ page: '10' }, ['page']],
  ])('%j gets an error for %j: values that violate the schema or that PostgreSQL cannot store', (query, paths) => {
    const { error } = validatorOf('querystring', schema)(query) as { error: Parameters<typeof toFieldErrors>[0] };
    expect(toFieldErrors(error, 'query').map(({ path }) => path)).toEqual(paths);
  });
});
