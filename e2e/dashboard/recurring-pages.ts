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

export const RECURRING_PAGES: DashboardPage[] = [
  { name: 'recurring', path: () => '/recurring', as: ({ newOwner }) => newOwner },
  { name: 'recurring-one', path: weekdays },
  { name: 'recurring-list', path: () => '/recurring' },
  { name: 'recurring-paused', path: paused, as: ({ newOwner }) => newOwner },
  { name: 'recurring-new', path: () => '/recurring/new' },
];
