import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { environmentOf, runCli, startCli } from '../test/run-cli.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const logged = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(['logs', ...args, '--json'], environmentOf(server, shop));
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('shows the requests of the account’s keys in their order, with the reason of a refusal', async () => {
  const stranger = await server.createAccount();
  await server.call(stranger, 'GET', '/profile');
  const created = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  await server.call(shop, 'POST', '/shipping', { body: { ...shipmentRequest(), parcelDetails: { weight: -1 } } });
  await eventually(async () => expect(await logged()).toHaveLength(2));
  const [first, second] = await logged();
  expect(first).toMatchObject({ method: 'POST', route: '/shipping', status: 201, id: created.body.shipping._id });
  expect(second).toMatchObject({ status: 400, fields: expect.arrayContaining(['parcelDetails.weight']) });
  expect(Object.keys(first ?? {})).not.toContain('keyName'); // a key need not know the other keys
  expect(await logged('--status', '4xx')).toEqual([second]);

  const { code, stderr } = await runCli(['logs', '--status', '9xx'], environmentOf(server, shop));
  expect([code, stderr]).toEqual([2, expect.stringContaining('--status is one of')]);
});

test('--follow prints each new request once, and its own polls never', async () => {
  const { process: child, lines, exited } = startCli(['logs', '--follow'], environmentOf(server, shop));
  await eventually(() => expect(lines.length).toBe(2));
  for (let i = 0; i < 60; i++) await server.call(shop, 'GET', '/shipping'); // more than a page
  await eventually(() => expect(lines.filter((line) => line.includes('  GET  /shipping  200  '))).toHaveLength(60));
  await server.call(shop, 'GET', '/shipping/stats');
  await eventually(() => expect(lines.at(-1)).toContain('/shipping/stats'));
  child.kill('SIGINT');
  expect(await exited).toBe(0);
  expect(lines).toHaveLength(63);
});
