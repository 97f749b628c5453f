import { ENDPOINTS, ERROR_SLUGS, TEST_ENDPOINTS, WEBHOOK_EVENTS } from '@navette/contract';
import { describe, expect, test } from 'vitest';
import { buildPages } from './build-pages.ts';
import { exampleOf, type OpenApi, resolveSchema } from './openapi.ts';

const pages = buildPages('en').filter(({ id }) => id.startsWith('api/'));
const all = pages.map(({ html }) => html).join('\n');
const EVERY = { ...ENDPOINTS, ...TEST_ENDPOINTS };

/** The HTML of one operation. */
const operationHtml = (name: string) => all.slice(all.indexOf(`<h2 id="${name}"`)).split('</section>')[0] ?? '';

describe('the reference', () => {
  test.each(Object.entries(EVERY))('has %s with its path, and a form that sends it', (name, endpoint) => {
    const html = operationHtml(name);
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    expect(html).toContain(endpoint.summary);
    expect(html).toContain(path.replaceAll('/', '/<wbr>'));
    expect(html).toContain(`data-method="${endpoint.method}" data-path="${path}"`);
    expect(html).toContain('curl -s');
  });

  test.each(Object.entries(ERROR_SLUGS))('explains %s and links to its remedy', (slug, { cause }) => {
    expect(all).toContain(`href="/docs/en/errors#${slug}"`);
    expect(all).toContain(cause.split('`')[0]);
  });

  test.each(WEBHOOK_EVENTS)('describes the event %s', (event) => {
    expect(pages.at(-1)?.html).toContain(`<h3 id="${event}">`);
  });

  test('shows own refusals with the operation, and those of every operation once per page', () => {
    expect(operationHtml('createShipment')).toContain('INSUFFICIENT_BALANCE');
    expect(operationHtml('createShipment')).not.toContain('MISSING_API_KEY');
    const [shipments] = pages;
    expect(shipments?.html.match(/errors#MISSING_API_KEY/g)).toHaveLength(1);
  });

  test('shows fields of nested objects, arrays and alternatives', () => {
    const html = operationHtml('getShipment');
    for (const field of ['postalCode', 'statusHistory', 'firstname', 'coordinates']) expect(html).toContain(field);
  });
});

describe('an example', () => {
  const document = {
    components: {
      schemas: { Place: { type: 'object', properties: { city: { type: 'string', examples: ['Paris'] } } } },
    },
  } as unknown as OpenApi;

  test('is the schema’s own, else its constant, default, first choice, or its fields', () => {
    const place = { $ref: '#/components/schemas/Place' };
    expect(exampleOf(document, place)).toEqual({ city: 'Paris' });
    expect(exampleOf(document, { type: 'array', items: place })).toEqual([{ city: 'Paris' }]);
    expect(exampleOf(document, { anyOf: [place, { type: 'null' }] })).toEqual({ city: 'Paris' });
    expect(exampleOf(document, { const: true })).toBe(true);
    expect(exampleOf(document, { type: 'string', enum: ['a', 'b'] })).toBe('a');
    expect(exampleOf(document, { type: 'integer', default: 50 })).toBe(50);
    expect(exampleOf(document, { type: 'string', format: 'date' })).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('of an unknown reference fails the build', () => {
    expect(() => resolveSchema(document, { $ref: '#/components/schemas/Nothing' })).toThrow('unknown reference');
  });
});
