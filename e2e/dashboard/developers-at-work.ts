import { setTimeout } from 'node:timers/promises';
import { createKey } from '../../server/src/features/api-keys/index.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { subscribe } from '../../server/test/subscribe.ts';
import type { World } from './world.ts';

interface Developers {
  /** Id of the webhook whose endpoint always fails. */
  failingWebhookId: string;
}

const begun = new WeakMap<World, Promise<Developers>>();

/** Creates keys in every state, a working and a failing webhook, and successful and refused requests; once per world. */
export function developersIn(world: World): Promise<Developers> {
  const developers = begun.get(world) ?? begin(world);
  begun.set(world, developers);
  return developers;
}

async function begin(world: World): Promise<Developers> {
  const { shop, owner, stage } = world;
  const { server, receiver } = stage;
  await makeKeys(world);
  receiver.behave('/erp', (_request, response) => response.writeHead(500).end('{"error":"database is read-only"}'));
  await subscribe(server, receiver, shop, '/boutique');
  const { _id: failingWebhookId } = await subscribe(server, receiver, shop, '/erp', ['shipping.created']);
  for (let i = 0; i < 3; i++) await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  await server.call(shop, 'POST', '/shipping', { body: { parcelDetails: { weight: -1 } } });
  await server.call(shop, 'POST', '/rates', { body: { weight: 2.5 } });
  await server.call(shop, 'GET', '/shipping/stats');
  await server.call(shop, 'GET', '/shipping/00000000-0000-7000-8000-000000000000');
  await server.call({ ...shop, clientId: 'somebody-else' }, 'GET', '/account');
  for (;;) {
    const { body } = await owner.call('listWebhookDeliveries', {
      params: { id: failingWebhookId },
      query: { status: 'dropped' },
    });
    if (body.deliveries.length === 3) return { failingWebhookId };
    await setTimeout(100);
  }
}

async function makeKeys({ shop, owner, stage }: World): Promise<void> {
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await owner.call('createKey', { body: { name: 'Boutique en ligne', scopes: ['read', 'write'] } });
  await owner.call('createKey', { body: { name: 'Tableau de bord', scopes: ['read'], expiresAt: inAMonth } });
  const { body } = await owner.call('createKey', { body: { name: 'Ancien ERP', scopes: ['read', 'write', 'delete'] } });
  await owner.call('revokeKey', { params: { id: body.key.id } });
  const expired = {
    name: 'Script de novembre',
    scopes: ['read'] as const,
    expiresAt: new Date(Date.now() - 86_400_000),
  };
  await createKey(stage.server.db, shop.id, expired);
}
