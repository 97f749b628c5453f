import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newReferenceNumber } from '../../server/src/features/shipments/reference-number.ts';
import type { Merchant, Stack } from '../stack.ts';

const COLUMNS =
  'account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection, group_reference, ' +
  'pickup_address, delivery_address, estimated_delivery_at, platform, order_id, metadata, delivery_code, label_suffix, ' +
  'status_history, created_at, updated_at';
const PICKUP =
  '{"location":{"type":"Point","coordinates":[2.3601,48.8556]},"street":"1 rue de Rivoli","city":"Paris","postalCode":"75001","country":"France"}';
const DELIVERY =
  '{"recipientName":"Camille Durand","street":"8 avenue de l’Opéra","city":"Paris","postalCode":"75001","country":"France","phoneNumber":"+33612345678","email":"camille@example.org","coordinates":{"latitude":48.8638,"longitude":2.3345}}';
const STATUSES = [
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

/** Shipments of the past, one every 15 seconds, loaded with COPY; the counters follow. Returns a few ids and references. */
export async function fillAccount(
  stack: Stack,
  merchant: Merchant,
  count: number,
): Promise<{ ids: string[]; references: string[] }> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const start = Date.now() - count * SECONDS_APART * 1000;
  const sample: { ids: string[]; references: string[] } = { ids: [], references: [] };
  const every = Math.max(1, Math.floor(count / 1000));

  function* lines(): Generator<string> {
    let chunk = '';
    for (let number = 1; number <= count; number++) {
      const at = new Date(start + number * SECONDS_APART * 1000);
      const id = timeOrderedId(at);
      const reference = newReferenceNumber();
      if (number % every === 0) {
        sample.ids.push(id);
        sample.references.push(reference);
      }
      const time = at.toISOString();
      const status = STATUSES[number % STATUSES.length];
      const group = number % 5 === 0 ? `GROUP-${Math.floor(number / 50)}` : '\\N';
      const history = `[{"status":"created","at":"${time}"}]`;
      const row = [
        merchant.id,
        id,
        number,
        reference,
        status,
        850,
        2.5,
        'Vêtements',
        'f',
        group,
        PICKUP,
        DELIVERY,
        time,
        'api',
        String(number),
        '{}',
        '123456',
        randomBytes(16).toString('hex'),
        history,
        time,
        time,
      ];
      chunk += `${row.join('\t')}\n`;
      if (chunk.length > 1 << 18) {
        yield chunk;
        chunk = '';
      }
    }
    yield chunk;
  }

  await pipeline(Readable.from(lines()), client.query(copyFrom(`copy shipments (${COLUMNS}) from stdin`)));
  await client.query(
    `update account_counters c set last_shipment = n.count, last_shipment_at = n.last, amount_cents = n.amount,
       created = n.created, in_transit = n.in_transit, delivered = n.delivered, cancelled = n.cancelled
     from (select count(*), max(created_at) as last, sum(price_cents) filter (where status <> 'cancelled') as amount,
             count(*) filter (where status = 'created') as created, count(*) filter (where status = 'in_transit') as in_transit,
             count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'cancelled') as cancelled
           from shipments where account_id = $1) n
     where c.account_id = $1`,
    [merchant.id],
  );
  await client.query('vacuum analyze shipments');
  await client.end();
  return sample;
}

/** UUIDv7 of a past moment. */
function timeOrderedId(at: Date): string {
  const hex = `${at.getTime().toString(16).padStart(12, '0')}7${randomBytes(10).toString('hex').slice(1)}`;
  const variant = `8${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${variant}-${hex.slice(20, 32)}`;
}
