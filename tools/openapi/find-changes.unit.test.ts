import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Document, findBreakingChanges } from './find-changes.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8')) as Document;

test('the API breaks no client of the released one', () => {
  expect(findBreakingChanges(read('released-openapi.json'), read('openapi.json'))).toEqual([]);
});

type Json = Record<string, unknown>;

const text = { type: 'string' };
const REQUEST: Json = {
  type: 'object',
  properties: {
    weight: { type: 'number', maximum: 100 },
    scope: { type: 'string', enum: ['selected', 'filtered'] },
    notes: { type: ['string', 'null'], maxLength: 50 },
  },
  required: ['weight'],
};
const RESPONSE: Json = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['created', 'delivered'] },
    driver: { anyOf: [{ $ref: '#/components/schemas/Driver' }, { type: 'null' }] },
    items: { type: 'array', items: { type: 'integer' } },
  },
  required: ['status', 'driver', 'items'],
};
const DRIVER: Json = { type: 'object', properties: { name: text }, required: ['name'] };

interface Parts {
  request?: Json;
  response?: Json;
  driver?: Json;
  parameters?: Json[];
  responses?: Json;
  webhooks?: Json;
  paths?: Json;
}

function documentOf(parts: Parts = {}): Document {
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const operation = {
    parameters: parts.parameters ?? [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
    requestBody: { required: true, ...json(parts.request ?? REQUEST) },
    responses: parts.responses ?? { 200: json(parts.response ?? RESPONSE), 400: json(DRIVER) },
  };
  return {
    paths: parts.paths ?? { '/shipping': { post: operation } },
    webhooks: parts.webhooks ?? { created: { post: { requestBody: json(RESPONSE) } } },
    components: { schemas: { Driver: parts.driver ?? DRIVER } },
  } as Document;
}

const withField = (schema: Json, name: string, field: Json | undefined): Json => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries({ ...(schema.properties as Json), [name]: field }).filter(([, value]) => value !== undefined),
  ),
});
const changesOf = (parts: Parts) => findBreakingChanges(documentOf(), documentOf(parts));
const eventWith = (schema: Json) => ({
  created: { post: { requestBody: { content: { 'application/json': { schema } } } } },
});

describe('a change that breaks clients', () => {
  test.each<[string, Parts, string]>([
    ['a removed operation', { paths: {} }, 'POST /shipping: removed'],
    ['a removed event', { webhooks: {} }, 'event created: removed'],
    ['a removed success status', { responses: { 400: {} } }, 'POST /shipping 200: removed'],
    [
      'a parameter that is now required',
      { parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer' } }] },
      'POST /shipping query page: now required',
    ],
    ['a removed parameter', { parameters: [] }, 'POST /shipping query page: removed'],
    [
      'a new required field in a request',
      { request: { ...withField(REQUEST, 'email', text), required: ['weight', 'email'] } },
      'POST /shipping body.email: new and required',
    ],
    [
      'an optional field of a request that is now required',
      { request: { ...REQUEST, required: ['weight', 'notes'] } },
      'POST /shipping body.notes: now required',
    ],
    [
      'fewer values in a request',
      { request: withField(REQUEST, 'scope', { type: 'string', enum: ['selected'] }) },
      'POST /shipping body.scope: no longer accepts filtered',
    ],
    [
      'null that a request may no longer contain',
      { request: withField(REQUEST, 'notes', { type: 'string', maxLength: 50 }) },
      'POST /shipping body.notes: null is refused',
    ],
    [
      'a lower limit of a request',
      { request: withField(REQUEST, 'weight', { type: 'number', maximum: 50 }) },
      'POST /shipping body.weight: maximum is now 50',
    ],
    [
      'a new pattern in a request',
      { request: withField(REQUEST, 'notes', { type: ['string', 'null'], maxLength: 50, pattern: '\\S' }) },
      'POST /shipping body.notes: pattern is now \\S',
    ],
    [
      'a removed field of a response',
      { response: withField(RESPONSE, 'items', undefined) },
      'POST /shipping 200.items: removed',
    ],
    [
      'a removed field of a nested schema',
      { driver: { type: 'object', properties: {}, required: [] } },
      'POST /shipping 200.driver.name: removed',
    ],
    [
      'a field of a response that may be absent',
      { response: { ...RESPONSE, required: ['status', 'driver'] } },
      'POST /shipping 200.items: may now be absent',
    ],
    [
      'a new value in a response',
      { response: withField(RESPONSE, 'status', { type: 'string', enum: ['created', 'delivered', 'lost'] }) },
      'POST /shipping 200.status: may now be lost',
    ],
    [
      'another type in a response',
      { response: withField(RESPONSE, 'items', { type: 'array', items: { type: 'number' } }) },
      'POST /shipping 200.items[]: may now be number',
    ],
    [
      'another alternative in a response',
      {
        response: withField(RESPONSE, 'driver', {
          anyOf: [{ $ref: '#/components/schemas/Driver' }, text, { type: 'null' }],
        }),
      },
      'POST /shipping 200.driver: may now be string',
    ],
    [
      'a removed field of an event, which clients read',
      { webhooks: eventWith(withField(RESPONSE, 'status', undefined)) },
      'event created body.status: removed',
    ],
  ])('%s', (_name, parts, change) => {
    expect(changesOf(parts)).toContain(change);
  });
});

describe('a change that breaks no client', () => {
  test.each<[string, Parts]>([
    ['no change', {}],
    ['a new operation', { paths: { ...documentOf().paths, '/rates': { post: {} } } }],
    ['a new optional field in a request', { request: withField(REQUEST, 'email', text) }],
    ['a required field of a request that is now optional', { request: { ...REQUEST, required: [] } }],
    [
      'more values in a request',
      { request: withField(REQUEST, 'scope', { type: 'string', enum: ['selected', 'filtered', 'all'] }) },
    ],
    ['a higher limit of a request', { request: withField(REQUEST, 'weight', { type: 'number', maximum: 500 }) }],
    ['a new field in a response', { response: withField(RESPONSE, 'price', { type: 'number' }) }],
    ['fewer values in a response', { response: withField(RESPONSE, 'status', { type: 'string', enum: ['created'] }) }],
    [
      'a field that is never null any more',
      { response: withField(RESPONSE, 'driver', { $ref: '#/components/schemas/Driver' }) },
    ],
    [
      'a failure that no longer happens',
      { responses: { 200: documentOf().paths?.['/shipping']?.post?.responses?.[200] } },
    ],
    [
      'a new optional parameter',
      {
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer' } },
          { name: 'sort', in: 'query', schema: text },
        ],
      },
    ],
    ['descriptions and examples', { driver: { ...DRIVER, description: 'The driver.', examples: [{ name: 'Ali' }] } }],
  ])('%s', (_name, parts) => {
    expect(changesOf(parts)).toEqual([]);
  });

  test('a new refusal beside the success of a status', () => {
    const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
    const refusal = { type: 'object', properties: { success: { const: false } }, required: ['success'] };
    const responses = { 200: json({ anyOf: [RESPONSE, refusal] }), 400: json(DRIVER) };
    expect(changesOf({ responses })).toEqual([]);
  });
});
