import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { tooMany } from '../../../test/envelopes.ts';
import { maxFloodedMs, measureOtherTenant } from '../../../test/flood.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

const PLENTY = 1_000_000;
const CALLS = 40;

let server: TestServer;
let api: NavetteProcess;
beforeAll(async () => {
  server = await startTestServer();
  api = await startNavette(['api'], server.environment);
});
afterAll(async () => {
  await api.stop();
  await server.stop();
});

async function accountWith(shipments: number): Promise<{ account: TestAccount; ids: string[] }> {
  const rateLimits = { minute: PLENTY, hour: PLENTY, day: PLENTY };
  const account = await server.createAccount({ paymentMode: 'deferred', creditLimit: PLENTY, rateLimits });
  const ids: string[] = [];
  while (ids.length < shipments) {
    const shippings = Array.from({ length: Math.min(500, shipments - ids.length) }, () => shipmentRequest());
    const { body } = await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
    ids.push(...body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id));
  }
  return { account, ids };
}

const exportOf = ({ account: { key, clientId }, ids }: Awaited<ReturnType<typeof accountWith>>) => ({
  path: `${BASE_PATH}/shipping/pdf/export`,
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'x-client-id': clientId, 'content-type': 'application/json' },
  body: JSON.stringify({ scope: 'selected', shippingIds: ids }),
});

test('eight exports of a thousand labels do not delay another tenant’s single label', async () => {
  const [exporter, otherTenant] = [await accountWith(1_000), await accountWith(7 * CALLS)];
  const undrawn = otherTenant.ids.values();
  const drawOne = async () => {
    const path = `/shipping/${undrawn.next().value}/view-link`;
    const { status } = await callApi(`${api.url}${BASE_PATH}${path}`, otherTenant.account, 'POST');
    expect(status).toBe(200);
  };
  const flood = { url: api.url, clients: 8, requests: [exportOf(exporter)] };
  const { quietMs, floodedMs, statuses } = await measureOtherTenant(flood, drawOne, CALLS);
  expect(floodedMs).toBeLessThan(maxFloodedMs(quietMs));
  expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([]);
}, 300_000);

describe('exports of one account at the same time', () => {
  test('run in turn; requests beyond the queue limit get a 429', async () => {
    const { path, ...request } = exportOf(await accountWith(60));
    const ask = async () => {
      const answer = await fetch(`${api.url}${path}`, request);
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    const exported = answers.filter(({ answer }) => answer.status === 200);
    const refused = answers.filter(({ answer }) => answer.status === 429);
    expect(exported.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThan(0);
    expect(exported.length + refused.length).toBe(30);
    expect(new Set(exported.map(({ bytes }) => bytes.length)).size).toBe(1); // whole, each of them
    for (const { answer, bytes } of refused) {
      expect({ status: answer.status, headers: answer.headers, body: JSON.parse(String(bytes)) }).toEqual(
        tooMany('minute'),
      );
    }
    expect((await ask()).answer.status).toBe(200);
  });

  test('a client that disconnects, while served or waiting, frees its slot', async () => {
    const { path, ...request } = exportOf(await accountWith(1_000));
    for (let round = 0; round < 3; round++) {
      const leaving = new AbortController();
      const asked = Array.from({ length: 10 }, () =>
        fetch(`${api.url}${path}`, { ...request, signal: leaving.signal }),
      );
      await Promise.race(asked); // the first has begun to be answered
      leaving.abort();
      await Promise.allSettled(asked);
    }
    const after = await fetch(`${api.url}${path}`, request);
    expect(after.status).toBe(200);
    expect((await after.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
  });
});
