import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startTestServer } from '../../server/test/test-server.ts';
import { Navette } from '../src/index.ts';
import { seededFaults, startFaultProxy } from './fault-proxy.ts';

const AT_ONCE = 20;
const PATIENT = { retries: 60, backoffMs: 1, timeoutMs: 2_000, deadlineMs: 600_000 }; // every creation must succeed in the end

/** Creates shipments through a proxy with seeded faults, then counts shipments and charges in PostgreSQL. */
export async function createThroughFaults(count: number, seed: number) {
  const server = await startTestServer({ LOG_LEVEL: 'error' });
  const account = await server.createAccount({ paymentMode: 'deferred' });
  const proxy = await startFaultProxy(server.url, seededFaults(seed, 0.4));
  try {
    const navette = new Navette({ url: proxy.url, apiKey: account.key, clientId: account.clientId, ...PATIENT });
    const orders = Array.from({ length: count }, (_, i) => `order-${i}`);
    const results: string[] = [];
    const workers = Array.from({ length: AT_ONCE }, async () => {
      for (let orderId = orders.pop(); orderId !== undefined; orderId = orders.pop()) {
        const request = shipmentRequest({ externalReference: { orderId } });
        const { shipment } = await navette.shipments.create(request, { idempotencyKey: { orderId } });
        results.push(shipment._id);
      }
    });
    await Promise.all(workers);

    const { rows } = await server.pools.main.query<{
      shipments: number;
      orders: number;
      charges: number;
      cents: number;
    }>(`
      select (select count(*) from shipments) as shipments, (select count(distinct order_id) from shipments) as orders,
             (select count(*) from ledger_entries where shipment_id is not null) as charges,
             (select sum(amount_cents)::int from ledger_entries) as cents`);
    return { stored: rows[0], returned: new Set(results).size, requests: proxy.seen.length };
  } finally {
    await proxy.stop();
    await server.stop();
  }
}
