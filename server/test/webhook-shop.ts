import { sql } from 'kysely';
import { expect } from 'vitest';
import { createTestMember, type TestMember } from './dashboard.ts';
import { eventually } from './eventually.ts';
import { shipmentRequest } from './shipment-request.ts';
import { subscribe } from './subscribe.ts';
import type { TestAccount } from './test-server.ts';
import type { WebhookServer } from './webhook-server.ts';

/** A shop with one webhook for `shipping.created`, and what its developer does with lost events. */
export interface WebhookShop {
  account: TestAccount;
  developer: TestMember;
  webhookId: string;
  path: string;
  ship(): Promise<string>;
  /** Shipments whose event was dropped. */
  lose(count: number): Promise<string[]>;
  deliveries(): ReturnType<typeof selectDeliveries>;
  allAre(count: number, status: string): Promise<void>;
  resendPeriod(body?: Period): ReturnType<TestMember['call']>;
  // biome-ignore lint/suspicious/noExplicitAny: a response of the API
  latestResend(): Promise<any>;
}

export interface Period {
  since: string;
  until: string;
  scope: 'lost' | 'all';
}

/** The last hour. */
export const lastHour = (): Period => ({
  since: new Date(Date.now() - 3_600_000).toISOString(),
  until: new Date(Date.now() + 1_000).toISOString(),
  scope: 'lost',
});

const selectDeliveries = ({ server }: WebhookServer, accountId: string) =>
  server.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('event_id')
    .execute();

let shops = 0;

export async function openWebhookShop(stage: WebhookServer): Promise<WebhookShop> {
  const { server, receiver } = stage;
  const account = await server.createAccount({ paymentMode: 'deferred' });
  const developer = await createTestMember(server, account.id, 'developer');
  const path = `/shop-${++shops}`;
  const { _id: webhookId } = await subscribe(server, receiver, account, path, ['shipping.created']);
  const deliveries = () => selectDeliveries(stage, account.id);
  const ship = async (): Promise<string> =>
    (await server.call(account, 'POST', '/shipping', { body: shipmentRequest() })).body.shipping._id;
  return {
    ...{ account, developer, webhookId, path, ship, deliveries },
    async lose(count) {
      const shippings = Array(count).fill(shipmentRequest());
      await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
      await sql`
        insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
        select account_id, id, ${webhookId}, 'dropped', 3, 3, now() from events where account_id = ${account.id}
        on conflict do nothing`.execute(server.db);
      const events = await server.db
        .selectFrom('events')
        .select('shipment_id')
        .where('account_id', '=', account.id)
        .orderBy('id')
        .execute();
      return events.map((event) => event.shipment_id);
    },
    allAre: (count, status) =>
      eventually(async () => {
        const found = await deliveries();
        expect(found.map((delivery) => delivery.status)).toEqual(Array.from({ length: count }, () => status));
      }),
    resendPeriod: (body = lastHour()) => developer.call('resendWebhookPeriod', { params: { id: webhookId }, body }),
    latestResend: async () =>
      (await developer.call('listWebhookResends', { params: { id: webhookId } })).body.resends[0],
  };
}
