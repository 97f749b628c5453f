import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { startTestWorker } from '../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../test/webhook-server.ts';
import { openWebhookShop } from '../../test/webhook-shop.ts';
import { deliverWebhooksJob, searchDriverJob } from './definitions.ts';

let stage: WebhookServer;
beforeAll(async () => {
  stage = await startWebhookServer();
});
afterAll(() => stage.stop());

test('a worker without the queue of webhooks leaves them to one that serves nothing else', async () => {
  const { name } = deliverWebhooksJob;
  const shop = await openWebhookShop(stage);
  const others = await startTestWorker(stage.server, undefined, undefined, (queue) => queue !== name);
  try {
    await shop.ship();
    await eventually(async () => {
      const { rows } = await sql`select from pgboss.job where name = ${name} and state = 'created'`.execute(
        stage.server.db,
      );
      expect(rows).toHaveLength(1);
    });
    expect(stage.receiver.to(shop.path)).toEqual([]);
    const sender = await startTestWorker(stage.server, undefined, undefined, (queue) => queue === name);
    try {
      await shop.allAre(1, 'delivered');
    } finally {
      await sender.stop();
    }
    expect(stage.receiver.to(shop.path)).toHaveLength(1);
  } finally {
    await others.stop();
  }
});

test('a worker without the queue of searches starts none itself, and leaves them to others', async () => {
  const { name } = searchDriverJob;
  const shop = await openWebhookShop(stage);
  const others = await startTestWorker(stage.server, undefined, undefined, (queue) => queue !== name);
  try {
    const id = await shop.ship();
    await eventually(async () => {
      const { rows } = await sql`
        select state from pgboss.job where name = ${name} and data->>'shipmentId' = ${id}`.execute(stage.server.db);
      expect(rows).toEqual([{ state: 'created' }]);
    });
    const searches = stage.server.db.selectFrom('driver_searches').select('id').where('shipment_id', '=', id);
    expect(await searches.execute()).toEqual([]);
  } finally {
    await others.stop();
  }
});
