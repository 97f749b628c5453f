import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop } from '../../../test/webhook-shop.ts';
import { deliverWebhooksJob } from '../../jobs/definitions.ts';

test('a worker to which the job of a webhook came twice sends each event once, and can be stopped', async () => {
  const stage = await startWebhookServer();
  const { server, receiver } = stage;
  const { name } = deliverWebhooksJob;
  const shop = await openWebhookShop(stage);
  const statesOf = async () => {
    const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = ${name}`.execute(server.db);
    return rows.map(({ state }) => state);
  };
  const worker = await startTestWorker(server);
  await shop.ship();
  await shop.allAre(1, 'delivered');
  await sql`delete from pgboss.job where name = ${name}`.execute(server.db); // as if another worker had taken it over
  const payload = { accountId: shop.account.id, webhookId: shop.webhookId };
  await server.db.transaction().execute((tx) => server.jobs.send(tx, deliverWebhooksJob, payload));
  await eventually(async () => expect(await statesOf()).not.toContain('created'));
  expect(await Promise.race([worker.stop().then(() => 'stopped'), delay(60_000, 'still running')])).toBe('stopped');
  expect(receiver.to(shop.path)).toHaveLength(1);
  await stage.stop();
});
