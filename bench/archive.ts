import { BASE_PATH } from '@navette/contract';
import { openProofStore } from '../server/src/adapters/files/open-file-store.ts';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { archiveShipments } from '../server/src/features/archive/archive-shipments.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { callApi } from '../server/test/call-api.ts';
import { fillAccount } from './load/fill-account.ts';
import { at, timed } from './load/timing.ts';
import type { Merchant, Stack } from './stack.ts';

const READS = 300;

/**
 * Archives the older half of an account's shipments, each with four events and three messages, and reads archived and other
 * ones by id in turn.
 */
export async function benchArchive(stack: Stack, merchant: Merchant, shipments: number): Promise<void> {
  const { ids } = await fillAccount(stack, merchant, shipments);
  const half = shipments / 2;
  await addRows(stack, merchant, half);
  const before = await bytesOf(stack, ['shipments', 'events', 'messages']);

  const engines = openEngines(readConfig({ ...process.env, ...stack.environment }), createLog('warn'));
  const started = performance.now();
  const context = { db: engines.db, store: openProofStore(engines.config), log: engines.log };
  const archived = await archiveShipments(context, 0, () => new Date());
  const seconds = (performance.now() - started) / 1_000;
  await engines.close();
  if (archived !== half) throw new Error(`${archived} shipments were archived, not ${half}`);

  await stack.sql('vacuum full shipments, events, messages');
  const left = await bytesOf(stack, ['shipments', 'events', 'messages']);
  const kept = await bytesOf(stack, ['archived_shipments', 'archive_files']);
  console.log(`\nArchive: ${archived.toLocaleString('en')} of ${shipments.toLocaleString('en')} shipments`);
  console.log(`archived in ${seconds.toFixed(1)} s`);
  console.log(
    `bytes of each in PostgreSQL: ${Math.round((before - left) / half)} before, ${Math.round(kept / half)} after`,
  );
  const middle = ids.length / 2;
  const times = await readInTurn(stack, merchant, { files: ids.slice(0, middle), table: ids.slice(middle) });
  for (const [place, ms] of times) {
    console.log(`GET by id from ${place}: p50 ${at(ms, 0.5).toFixed(1)} ms, p95 ${at(ms, 0.95).toFixed(1)} ms`);
  }
}

/** Events, messages, and the marks with which a shipment may be archived. */
async function addRows(stack: Stack, { id }: Merchant, half: number): Promise<void> {
  await stack.sql(
    `insert into events (account_id, id, shipment_id, type, created_at, feed_position)
     select s.account_id, gen_random_uuid(), s.id, type, s.created_at, 0 from shipments s, unnest($3::text[]) type
     where s.account_id = $1 and s.number <= $2`,
    [id, half, ['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered']],
  );
  await stack.sql(
    `insert into messages (account_id, id, shipment_id, kind, channel, status, created_at, sent_at)
     select s.account_id, gen_random_uuid(), s.id, kind, case kind when 'recipient-sms' then 'sms' else 'email' end, 'sent',
       s.created_at, s.created_at
     from shipments s, unnest($3::text[]) kind where s.account_id = $1 and s.number <= $2`,
    [id, half, ['recipient-sms', 'recipient-email', 'delivered-email']],
  );
  await stack.sql(
    `update shipments set personal_data_erased_at = created_at, updated_at = created_at, status = 'delivered', delivered_at = created_at, cancelled_at = null
     where account_id = $1 and number <= $2`,
    [id, half],
  );
  await stack.sql('vacuum full shipments, events, messages');
}

async function bytesOf(stack: Stack, tables: string[]): Promise<number> {
  const { rows } = await stack.sql(
    'select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) name',
    [tables],
  );
  return rows[0].bytes;
}

/** Sorted milliseconds by place. */
async function readInTurn(stack: Stack, merchant: Merchant, places: Record<string, string[]>) {
  const times = new Map(Object.keys(places).map((place) => [place, [] as number[]]));
  for (let i = 0; i < READS; i++) {
    for (const [place, ids] of Object.entries(places)) {
      const url = `${stack.url}${BASE_PATH}/shipping/${ids[i % ids.length]}`;
      times.get(place)?.push(await timed(() => callApi(url, merchant, 'GET')));
    }
  }
  for (const each of times.values()) each.sort((a, b) => a - b);
  return times;
}
