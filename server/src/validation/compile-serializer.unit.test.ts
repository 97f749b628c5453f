import {
  CONSOLE_ENDPOINTS,
  DASHBOARD_ENDPOINTS,
  DRIVER_ENDPOINTS,
  ENDPOINTS,
  type EndpointShape,
} from '@navette/contract';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { compileSerializer } from './compile-serializer.ts';

const serializerOf = (schema: object) =>
  compileSerializer({ schema, method: 'GET', url: '/' } as FastifyRouteSchemaDef<object>);

test('fields that are not in the schema are left out', () => {
  const serialize = serializerOf(Type.Object({ id: Type.String(), count: Type.Optional(Type.Integer()) }));
  expect(serialize({ id: 'a', count: 3, secret: 'b' })).toBe('{"id":"a","count":3}');
  expect(serialize({ id: 'c', secret: 'd' })).toBe('{"id":"c"}');
});

test.each<Record<string, EndpointShape>>([ENDPOINTS, DRIVER_ENDPOINTS, DASHBOARD_ENDPOINTS, CONSOLE_ENDPOINTS])(
  'every schema compiles, which a start does not show',
  (endpoints) => {
    const schemas = Object.values(endpoints).flatMap(({ answers }) => Object.values(answers));
    expect(schemas.length).toBeGreaterThan(10);
    for (const schema of schemas) fastJsonStringify(schema);
  },
);
