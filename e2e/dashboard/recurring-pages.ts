import type { Page } from 'playwright-core';
import { notify } from '../../server/src/features/notifications/index.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

/** A recurring shipment of the busy shop: every weekday, with one day skipped. */
async function weekdays({ owner }: World): Promise<string> {
  const { deliveryAddress } = shipmentRequest();
  const { recurring } = (
    await owner.call('createRecurring', {
      headers: { 'x-idempotency-key': 'weekdays' },
      body: {
        weekdays: [1, 2, 3, 4, 5],
        timeSlot: '10h-12h',
        startsOn: '2026-01-01',
        shipment: shipmentRequest({
          deliveryAddress: {
            ...deliveryAddress,
            recipientName: 'Boulangerie Utopie',
            street: '20 rue Jean-Pierre Timbaud',
          },
        }),
      },
    })
  ).body;
  const day = recurring.upcoming[4].day;
  await owner.call('setOccurrence', { params: { id: recurring.id, day }, body: { skipped: true } });
  return `/recurring/${recurring.id}`;
}

/** Of the new shop, which has neither a pickup address nor a balance. */
async function paused({ newOwner }: World): Promise<string> {
  const { recurring } = (
    await newOwner.call('createRecurring', {
      headers: { 'x-idempotency-key': 'paused' },
      body: { weekdays: [6], timeSlot: '18h-20h', startsOn: '2026-01-01', shipment: shipmentRequest() },
    })
  ).body;
  await newOwner.call('setRecurringState', { params: { id: recurring.id }, body: { state: 'paused' } });
  return '/recurring';
}

async function savedAddresses({ owner }: World): Promise<string> {
  const { deliveryAddress } = shipmentRequest();
  const people = ['Boulangerie Utopie', 'Camille Durand', 'Hôtel du Petit Moulin', 'Zoé Martin-Delacroix'];
  for (const recipientName of people) await owner.call('saveAddress', { body: { ...deliveryAddress, recipientName } });
  return '/addresses';
}

async function someNotifications({ stage: { server }, shop, shipmentIds }: World): Promise<string> {
  const causes = [
    { kind: 'invoice-issued', title: 'F2026-000042', target: null },
    { kind: 'webhook-paused', title: 'boutique.example', target: null },
    { kind: 'balance-empty', title: null, target: null },
    { kind: 'import-finished', title: 'commandes-semaine-46.csv', target: shipmentIds[0] ?? null },
    { kind: 'incident', title: 'K7M2P9XW4B', target: shipmentIds[0] ?? null },
  ] as const;
  for (const cause of causes)
    await server.db
      .transaction()
      .execute((tx) => notify(tx, server.jobs, shop.id, { ...cause, once: 'gallery' }, new Date()));
  return '/notifications';
}

async function suggestSaved(page: Page) {
  const name = page.getByLabel(/^(Nom|Name)/);
  await name.fill(''); // the window may have a draft of an earlier page
  await name.pressSequentially('zoe');
  await page.getByRole('option', { name: /Zoé Martin/ }).waitFor();
}

export const RECURRING_PAGES: DashboardPage[] = [
  { name: 'recurring', path: () => '/recurring', as: ({ newOwner }) => newOwner },
  { name: 'recurring-one', path: weekdays },
  { name: 'recurring-list', path: () => '/recurring' },
  { name: 'recurring-paused', path: paused, as: ({ newOwner }) => newOwner },
  { name: 'recurring-new', path: () => '/recurring/new' },
  { name: 'addresses', path: savedAddresses },
  { name: 'addresses-empty', path: () => '/addresses', as: ({ newOwner }) => newOwner },
  {
    name: 'addresses-change',
    path: savedAddresses,
    act: (page) => page.getByRole('button', { name: /(Modifier|Edit) Camille/ }).click(),
  },
  { name: 'notifications', path: someNotifications },
  { name: 'notifications-empty', path: () => '/notifications', as: ({ newOwner }) => newOwner },
  {
    name: 'shipment-new-saved',
    path: (world) => savedAddresses(world).then(() => '/shipments/new'),
    act: suggestSaved,
  },
];
