import fc from 'fast-check';
import type { Operation, Schema } from './operations.ts';

/** A request as it is sent; `{seen}` in a path is replaced by an id or reference of an earlier response. */
export interface GeneratedRequest {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const DEEP = 50_000;
/** Written into the JSON as text: no JavaScript value is serialised to them. */
const RAW_JSON: Record<string, string> = {
  '@too-large-a-number@': '1e999',
  '@too-many-digits@': '123456789012345678901234567890.12345678901234567890',
  '@deep-lists@': `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  '@deep-objects@': `${'{"a":'.repeat(DEEP)}"\\u0000"${'}'.repeat(DEEP)}`,
  '@same-name-twice@': '{"street":1,"street":"x"}',
};
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '\uffff',
    '\u202e',
    'é'.repeat(300),
    '👩‍👩‍👧‍👦',
    'ﬁ',
    '\r\n',
  ),
  fc.constantFrom('x'.repeat(501), 'x'.repeat(10_000), '👍'.repeat(5_000), "'; drop table accounts; --", '%00'),
  fc.constantFrom('NaN', 'null', '-1', '1e999', '2026-02-30', '9999-12-31T23:59:59+23:59', '24h-25h', '0h-23h59'),
  fc.constantFrom(...PROTOTYPE_NAMES),
  fc.string({ unit: 'binary' }),
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], -0, 0, -1, 1e308, 5e-324, 2 ** 53, -(2 ** 31) - 1),
  fc.constantFrom(...Object.keys(RAW_JSON)),
  hostileText,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
);

/** A valid value: it follows the schema, so that it passes the validation and reaches the features. */
export function fittingFor(schema: Schema, bodies: Schema[] = []): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => fittingFor(branch, bodies)));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return fittingText(schema);
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1_000) });
    case 'number':
      return fc.oneof(
        fc.constantFrom(...((schema.examples as number[] | undefined) ?? [1])),
        fc.double({ min: Number(schema.minimum ?? 0.001), max: Number(schema.maximum ?? 1_000), noNaN: true }),
      );
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fittingFor(schema.items ?? {}, bodies), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 4,
      });
    case 'object':
      return fittingObject(schema, bodies);
    default: // any value
      return fc.oneof(fc.jsonValue(), ...bodies.map((body) => fittingFor(body)));
  }
}

function fittingText({ format, examples, minLength, maxLength }: Schema): fc.Arbitrary<unknown> {
  const short = fc.string({
    unit: 'grapheme',
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(40, Number(maxLength ?? 40)),
  });
  switch (format) {
    case 'email':
      return fc.emailAddress();
    case 'iso-date':
      return fc.constantFrom('2030-05-20', '2030-05-20T23:30:00Z', '2031-03-30T10:00+0200', '2026-01-01');
    case 'uri':
      return fc.constantFrom(
        'http://127.0.0.1:65530/',
        'https://[::1]/',
        'http://0x7f.1/',
        'ftp://127.0.0.1/',
        'http://',
      );
    default:
      return fc.oneof(fc.constantFrom(...((examples as string[] | undefined) ?? ['x'])), short);
  }
}

function fittingObject({ properties, required = [] }: Schema, bodies: Schema[]): fc.Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  const fields = Object.entries(properties).map(([name, schema]) => [name, fittingFor(schema, bodies)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

/** A valid body with one value replaced or removed, or with an unknown name added. */
const spoil = (fitting: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fitting, fc.nat(), hostileValue, fc.constantFrom('replace', 'remove', 'add'), hostileText)
    .map(([body, where, value, how, name]) => {
      const places: [holder: Record<string, unknown>, name: string][] = [];
      const walk = (holder: unknown) => {
        if (typeof holder !== 'object' || holder === null) return;
        for (const [name, inner] of Object.entries(holder)) {
          places.push([holder as Record<string, unknown>, name]);
          walk(inner);
        }
      };
      const copy = structuredClone(body);
      walk(copy);
      const place = places[where % Math.max(1, places.length)];
      if (!place) return value;
      const [holder, field] = place;
      if (how === 'remove') delete holder[field];
      else if (how === 'add' && Array.isArray(holder)) holder.push(value);
      else Object.defineProperty(holder, how === 'add' ? name : field, { value, enumerable: true, configurable: true });
      return copy;
    });

function toJson(value: unknown): Buffer {
  const text = JSON.stringify(value) ?? '';
  return Buffer.from(text.replaceAll(/"(@[a-z-]+@)"/g, (written, name: string) => RAW_JSON[name] ?? written));
}

const unreadableBody = fc.oneof(
  fc
    .constantFrom('', '{', '[', '{"a":1,}', '\ufeff{}', '{"a":1}{"a":1}', 'undefined', "{'a':1}")
    .map((text) => Buffer.from(text)),
  fc.constantFrom(
    Buffer.from('{"a":1}', 'utf16le'),
    Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    Buffer.alloc(9 * 2 ** 20, 0x20),
  ),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

function bodyFor({ body, bodies }: Operation): fc.Arbitrary<Buffer | undefined> {
  const fitting = fittingFor(body ?? {}, bodies);
  return fc.oneof(
    { weight: body ? 40 : 5, arbitrary: fitting.map(toJson) },
    { weight: body ? 40 : 5, arbitrary: spoil(fitting).map(toJson) },
    { weight: 8, arbitrary: hostileValue.map(toJson) },
    { weight: 4, arbitrary: unreadableBody },
    { weight: body ? 8 : 80, arbitrary: fc.constant(undefined) },
  );
}

const LONGEST = 3_000; // a request line beyond 16 KiB is refused by the HTTP parser itself
const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed()).slice(0, LONGEST);

const hostileSegment = fc.oneof(
  { weight: 5, arbitrary: fc.constant('{seen}') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
        'x',
        '%',
        '%zz',
        '..',
        '%2e%2e%2f',
        '%00',
        '%ff',
        '',
        'x'.repeat(300),
      ],
      ...[encode('é👍'), ...PROTOTYPE_NAMES],
    ),
  },
  { weight: 2, arbitrary: hostileText.map(encode) },
);

function queryFor({ parameters }: Operation): fc.Arbitrary<string> {
  const documented = parameters.filter((parameter) => parameter.in === 'query');
  const names = [...documented.map(({ name }) => name), 'clientId', 'x', 'a[b]', 'a[]', '__proto__'];
  const fitting = fc
    .record(Object.fromEntries(documented.map(({ name, schema }) => [name, fittingFor(schema)])), { requiredKeys: [] })
    .map((values) => Object.entries(values));
  const hostile = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(hostileText, fc.constant('1'))), {
    maxLength: 4,
  });
  const written = fc
    .oneof(fitting, hostile)
    .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));
  return fc.oneof(
    { weight: 20, arbitrary: written },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz=%zz', '&&&===', '?', 'clientId', 'a=b&a=c&a=d', `x=${'y'.repeat(9_000)}`),
    },
  );
}

/** Bytes that HTTP allows, which is more than text. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
const hostileHeaders = fc.record(
  {
    authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
    ),
    'x-client-id': headerText,
    'x-request-id': headerText,
    'x-idempotency-key': fc.oneof(headerText, fc.uuid(), fc.constant('x'.repeat(201))),
    'x-forwarded-for': headerText,
    'content-type': fc.oneof(
      headerText,
      fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/json;'),
    ),
    accept: headerText,
    'accept-version': headerText,
  },
  { requiredKeys: [] },
);

function requestFor(operation: Operation, good: Record<string, string>): fc.Arbitrary<GeneratedRequest> {
  const path = fc.tuple(hostileSegment, queryFor(operation)).map(([segment, query]) => {
    const filled = operation.path.replaceAll(/\{\w+\}/g, () => segment);
    return query ? `${filled}?${query}` : filled;
  });
  const key = fc.option(
    fc.uuid().map((id) => ({ 'x-idempotency-key': id })),
    { nil: {} },
  );
  const headers = fc.oneof(
    { weight: 9, arbitrary: key.map((own) => ({ ...good, ...own })) },
    { weight: 1, arbitrary: hostileHeaders.map((hostile) => ({ ...good, ...hostile })) },
  );
  return fc.record({ operation: fc.constant(operation), path, headers, body: bodyFor(operation) });
}

/** The same requests for the same seed: valid, damaged and random ones, alternating between the operations. */
export function generateRequests(
  operations: Operation[],
  good: Record<string, string>,
  { seed, count }: { seed: number; count: number },
): GeneratedRequest[] {
  const perOperation = Math.ceil(count / operations.length);
  const lists = operations.map((operation, i) =>
    fc.sample(requestFor(operation, good), { seed: seed + i, numRuns: perOperation }),
  );
  return Array.from({ length: perOperation }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
}
