import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Merchant, Stack } from '../stack.ts';
import { type PastShipment, pastShipment, SHIPMENT_COLUMNS } from './past-shipments.ts';

const STATUSES: PastShipment['status'][] = [
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'cancelled',
  'in_transit',
  'created',
];
const SECONDS_APART = 15;
const CHUNK_BYTES = 1 << 18;

export interface Sample {
  ids: string[];
  references: string[];
}

/** Shipments of the past, one every 15 seconds, loaded with COPY; the counters follow. Returns a few ids and references. */
export async function fillAccount(stack: Stack, merchant: Merchant, count: number): Promise<Sample> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const start = Date.now() - count * SECONDS_APART * 1000;
  const sample: Sample = { ids: [], references: [] };
  const every = Math.max(1, Math.floor(count / 1000));

  function* lines(): Generator<string> {
    let chunk = '';
    for (let number = 1; number <= count; number++) {
      const at = new Date(start + number * SECONDS_APART * 1000);
      const status = STATUSES[number % STATUSES.length] as PastShipment['status'];
      const { id, reference, line } = pastShipment({ accountId: merchant.id, number, at, status });
      if (number % every === 0) {
        sample.ids.push(id);
        sample.references.push(reference);
      }
      chunk += line;
      if (chunk.length > CHUNK_BYTES) {
        yield chunk;
        chunk = '';
      }
    }
    yield chunk;
  }

  await pipeline(Readable.from(lines()), client.query(copyFrom(`copy shipments (${SHIPMENT_COLUMNS}) from stdin`)));
  await countShipments(client);
  await client.query('vacuum analyze shipments');
  await client.end();
  return sample;
}

/** The counters of every account that has shipments. */
export async function countShipments(client: pg.Client): Promise<void> {
  await client.query(
    `update account_counters c set last_shipment = n.count, last_shipment_at = n.last, amount_cents = n.amount,
       created = n.created, in_transit = n.in_transit, delivered = n.delivered, cancelled = n.cancelled
     from (select account_id, count(*), max(created_at) as last, sum(price_cents) filter (where status <> 'cancelled') as amount,
             count(*) filter (where status = 'created') as created, count(*) filter (where status = 'in_transit') as in_transit,
             count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'cancelled') as cancelled
           from shipments group by account_id) n
     where c.account_id = n.account_id`,
  );
}
