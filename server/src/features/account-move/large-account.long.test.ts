import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { eventually } from '../../../test/eventually.ts';
import { fillDelivered } from '../../../test/fill-delivered.ts';
import { keepShipping } from '../../../test/keep-shipping.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { startTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';

const SHIPMENTS = 100_000;
const AT_ONCE = 8; // orders; with their answers some fifty a second beside the copy
const MOST_PAUSE_MS = 60_000;

let cells: TwoCells;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [cells, receiver] = await Promise.all([startTwoCells(), startWebhookReceiver()]);
});
afterAll(async () => {
  await receiver?.stop();
  await cells?.stop();
});

test('an account of 100,000 shipments moves while it ships: none is lost or twice, and it pauses for seconds', async () => {
  const { first, second } = cells;
  const shop = await first.createMerchant();
  const client = new pg.Client({ connectionString: first.database.url });
  await client.connect();
  await fillDelivered(client, shop.id, SHIPMENTS);
  await client.end();
  const webhook = { url: `${receiver.url}/moved`, events: ['shipping.created'] };
  await callApi(`${cells.url}${BASE_PATH}/webhooks`, shop, 'POST', { body: webhook });

  const shipping = keepShipping(cells.url, shop, AT_ONCE);
  const { created } = shipping;
  await Promise.race([eventually(() => expect(created.length).toBeGreaterThan(100)), shipping.ended]);
  const target = ['--to', second.tag, '--target-url', second.database.url];
  const moved = await first.navette('account', 'move', shop.id, ...target, '--json');
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  const before = created.length;
  await Promise.race([eventually(() => expect(created.length).toBeGreaterThan(before + 100)), shipping.ended]);
  await shipping.stop();
  const steps = moved.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  process.stdout.write(
    `${created.length} orders, ${shipping.refused} answers with 503, ${(shipping.longestPauseMs / 1_000).toFixed(1)} s without a confirmation, ${JSON.stringify(steps.at(-1))}\n`,
  );
  expect(shipping.refused).toBeGreaterThan(0);
  expect(shipping.longestPauseMs).toBeLessThan(timeLimitMs(MOST_PAUSE_MS));

  const { rows } = await sql<{ id: string; charges: number }>`
    select id, (select count(*)::int from ledger_entries l
                where (l.account_id, l.shipment_id) = (s.account_id, s.id)) as charges
    from shipments s where account_id = ${shop.id} and number > ${SHIPMENTS}`.execute(second.db);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(created.toSorted());
  expect(new Set(rows.map(({ charges }) => charges))).toEqual(new Set([1]));
  await eventually(() => {
    const events = receiver.to('/moved').map(({ body }) => JSON.parse(body.toString()).data.id as string);
    expect(events.toSorted()).toEqual(created.toSorted());
  });
  const audited = await second.navette('audit');
  expect([audited.code, audited.stderr]).toEqual([0, '']);
});
