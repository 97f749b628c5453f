import { readFileSync } from 'node:fs';
import {
  buildDriverOpenApi,
  DRIVER_BASE_PATH,
  DRIVER_ENDPOINTS,
  DRIVER_PUSHES,
  DRIVER_SLUGS,
  type DriverEndpoint,
  driverAnswersOf,
} from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from './call-api.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** The commands, written here a second time so that none can be lost or moved by accident. */
const TABLE = `
  createSession POST /session
  readSession GET /session
  closeSession DELETE /session
  listSessions GET /sessions
  endSession DELETE /sessions/:id
  endOtherSessions DELETE /sessions
  requestPasswordLink POST /password-links
  readPasswordLink POST /password-links/read
  usePasswordLink POST /password-links/use
  savePushSubscription PUT /push-subscription
  removePushSubscription DELETE /push-subscription
  setAvailability PUT /availability
  sendPosition PUT /position
  listOffers GET /offers
  acceptOffer POST /offers/:id/accept
  refuseOffer POST /offers/:id/refuse
  listShipments GET /shippings
  readShipment GET /shippings/:id
  listEndedShipments GET /history
  pickUp POST /shippings/:id/pickup
  depart POST /shippings/:id/depart
  deliver POST /shippings/:id/deliver
  abandon POST /shippings/:id/abandon
  reportIncident POST /shippings/:id/incidents
  addProof POST /shippings/:id/proofs
  readProof GET /proofs/:id
  readEarnings GET /earnings
  readStatementPdf GET /earnings/:month/statement.pdf
  readStatementCsv GET /earnings/:month/statement.csv`;

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const commands = Object.entries<DriverEndpoint>(DRIVER_ENDPOINTS);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('the commands of the driver app', () => {
  test('are those of the table', () => {
    const lines = commands.map(([name, { method, path }]) => `${name} ${method} ${path}`);
    expect(lines).toEqual(TABLE.trim().split(/\n\s*/));
  });

  test.each(commands)('%s is routed, and its fields of path and body have different names', (_name, endpoint) => {
    const { method, path, params, body } = endpoint;
    expect(server.app.hasRoute({ method, url: `${DRIVER_BASE_PATH}${path}` })).toBe(true);
    const fieldsOf = (schema: unknown) =>
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
    expect(fieldsOf(params)).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    expect(fieldsOf(params).filter((field) => fieldsOf(body).includes(field))).toEqual([]); // the socket sends one object
  });

  test.each(commands)(
    '%s is in docs/drivers.md and contract/driver-openapi.json, with all it answers',
    (name, endpoint) => {
      const { method, path } = endpoint;
      expect(read('docs/drivers.md')).toMatch(new RegExp(`^\\| \`${name}\` \\| \`${method} ${path}\` \\| \\S`, 'm'));
      const operation = JSON.parse(read('contract/driver-openapi.json')).paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[
        method.toLowerCase()
      ];
      expect(operation.operationId).toBe(name);
      expect(Object.keys(operation.responses)).toEqual(
        [...driverAnswersOf(endpoint).keys()].sort((a, b) => a - b).map(String),
      );
    },
  );

  test.each(Object.keys(DRIVER_SLUGS))('%s is explained in docs/drivers.md', (slug) => {
    expect(read('docs/drivers.md')).toMatch(new RegExp(`^\\| \\d{3} \\| \`${slug}\` \\| \\S`, 'm'));
  });

  test.each(Object.keys(DRIVER_PUSHES))('the push %s is explained in docs/drivers.md', (push) => {
    expect(read('docs/drivers.md')).toMatch(new RegExp(`^\\| \`${push}\` \\| \\S`, 'm'));
  });
});

describe('the reference of a running server', () => {
  test('/driver/openapi.json is the contract, and every reference in it leads somewhere', async () => {
    const { status, body } = await callApi(`${server.url}/driver/openapi.json`, {}, 'GET');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(buildDriverOpenApi(server.config.publicUrl))));
    const references = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(body.components.schemas).toHaveProperty([name]);
  });
});
