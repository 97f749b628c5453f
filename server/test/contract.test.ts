import { globSync, readFileSync } from 'node:fs';
import { BASE_PATH, buildOpenApi, ENDPOINTS, type Endpoint, ERROR_SLUGS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VARIABLES } from '../src/config.ts';
import { callApi } from './call-api.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** The contract's table, written here a second time so that no endpoint can be lost or moved by accident. */
const TABLE = `
  POST /shipping, body
  POST /shipping/batch, body
  PUT /shipping/pickup-address, body
  GET /shipping
  GET /shipping/:id
  GET /shipping/reference/:referenceNumber
  GET /shipping/tracking/:referenceNumber
  GET /shipping/labels
  GET /shipping/stats
  GET /shipping/auth/test
  PUT /shipping/:id/cancel, body
  POST /shipping/:id/download-link
  POST /shipping/:id/view-link
  GET /shipping/:id/download
  POST /shipping/pdf/export, body
  POST /rates, body
  GET /account
  GET /webhooks
  POST /webhooks, body
  PUT /webhooks/:id, body
  DELETE /webhooks/:id`;

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const endpoints = Object.values<Endpoint>(ENDPOINTS);
const all = endpoints.map((endpoint) => [titleOf(endpoint), endpoint] as const);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('the endpoint table', () => {
  test('holds the 21 endpoints of the contract, each with a body schema exactly where it takes a body', () => {
    const lines = endpoints.map((endpoint) => `${titleOf(endpoint)}${endpoint.body ? ', body' : ''}`);
    expect(lines).toHaveLength(21);
    expect(lines.sort()).toEqual(TABLE.trim().split(/\n\s*/).sort());
  });

  test.each(all)('%s declares its responses and the parameters of its path', (_title, endpoint) => {
    expect(Object.keys(endpoint.answers).length).toBeGreaterThan(0);
    for (const schema of Object.values(endpoint.answers)) expect(schema).toBeTypeOf('object');
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys((endpoint.params as { properties?: object } | undefined)?.properties ?? {})).toEqual(inPath);
  });

  test.each(all)(
    '%s has its line in docs/endpoints.md and its operation in contract/openapi.json',
    (title, endpoint) => {
      expect(read('docs/endpoints.md')).toContain(`| \`${title}\` |`);
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const operation = JSON.parse(read('contract/openapi.json')).paths[path]?.[endpoint.method.toLowerCase()];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(Object.keys(endpoint.answers)));
      expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined);
    },
  );
});

describe('what is served', () => {
  const tests = globSync('server/**/*.test.ts', { cwd: root }).map((path) => read(path));

  test.each(all)('%s is routed and has tests under its name', (title, { method, path }) => {
    expect(server.app.hasRoute({ method, url: `${BASE_PATH}${path}` })).toBe(true);
    const quoted = title.replaceAll(/[/:]/g, '[$&]');
    expect(tests.filter((text) => new RegExp(`describe\\(['"\`]${quoted}['"\`]`).test(text))).not.toHaveLength(0);
  });
});

describe('what is written down', () => {
  test.each([...Object.keys(ERROR_SLUGS), 'VALIDATION_ERROR'])('%s is explained in docs/errors.md', (slug) => {
    expect(read('docs/errors.md')).toMatch(new RegExp(`^\\| \\d{3} \\| \`${slug}\` \\| \\S`, 'm'));
  });

  test.each(Object.keys(VARIABLES))('the setting %s is explained in README.md', (name) => {
    expect(read('README.md')).toMatch(new RegExp(`^\\| \`${name}\` \\|.*\\| \\S`, 'm'));
  });

  test('contract/openapi.json is what the contract generates', () => {
    expect(JSON.parse(read('contract/openapi.json'))).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
  });

  test('every reference inside contract/openapi.json leads somewhere', () => {
    const document = JSON.parse(read('contract/openapi.json'));
    const references = [...read('contract/openapi.json').matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty([name]);
  });
});

describe('the reference of a running server', () => {
  test('/openapi.json is the contract, with the address at which clients reach it', async () => {
    const { status, headers, body } = await callApi(`${server.url}/openapi.json`, {}, 'GET');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApi(server.config.publicUrl))));
    expect(body.servers).toEqual([{ url: `${server.config.publicUrl}${BASE_PATH}` }]);
  });
});
