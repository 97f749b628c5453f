import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsOf, searchAmong, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type SendCommand, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { transactionOf } from '../../../test/transaction-of.ts';

let server: TestServer;
let shop: TestAccount;
let driver: TestDriver;
let send: SendCommand;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db);
  send = overHttp(server.url, driver);
});
afterAll(() => server.stop());

/** Offered to the driver and a colleague. */
async function shipOffered(): Promise<string> {
  const { _id: id } = await ship(server, shop);
  await searchAmong(server, shop, id, [driver, await createTestDriver(server.db)]);
  return id;
}

async function countStatements(...command: Parameters<SendCommand>): Promise<number> {
  const sent = await transactionOf(server.pools.prepared, async () => {
    expect(await send(...command)).toMatchObject({ status: 200 });
  });
  return sent.length;
}

test('the transaction of each command takes few statements, begin and commit included', async () => {
  const id = await shipOffered();
  const { code: deliveryCode } = await factsOf(server, id);
  expect({
    acceptOffer: await countStatements('acceptOffer', { id }),
    pickUp: await countStatements('pickUp', { id }),
    depart: await countStatements('depart', { id }),
    deliver: await countStatements('deliver', { id, deliveryCode }),
  }).toEqual({ acceptOffer: 9, pickUp: 5, depart: 4, deliver: 5 });
  expect(await factsOf(server, id)).toMatchObject({ status: 'delivered', driver: driver.id });
});

test('the answer of a command is the run as it is read afterwards, also when a delivery ends an incident', async () => {
  for (const incident of [null, { kind: 'recipient_absent' }]) {
    const id = await shipOffered();
    const { code: deliveryCode } = await factsOf(server, id);
    let resolution: string | null = null;
    for (const name of ['acceptOffer', 'pickUp', 'depart', 'deliver'] as const) {
      if (incident && name === 'deliver') await send('reportIncident', { id, ...incident });
      const { body: answer } = await send(name, { id, deliveryCode });
      const { body: read } = await send('readShipment', { id });
      expect(answer.shipping).toEqual(read.shipping);
      resolution = answer.shipping.incident?.resolution ?? null;
    }
    expect(resolution).toBe(incident && 'tried_again');
  }
});
