import type { Page } from 'playwright-core';
import { eraseShipment } from '../../server/test/erase-shipment.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

const either = (french: string, english: string) => new RegExp(`${french}|${english}`);

/** A shipment with a slot and every optional field, assigned to a driver. */
async function richShipment({ stage: { server }, shop }: World): Promise<string> {
  const { deliveryAddress } = shipmentRequest();
  const { body } = await server.call(shop, 'POST', '/shipping', {
    body: shipmentRequest({
      deliveryAddress: {
        ...deliveryAddress,
        recipientName: 'Jean-Baptiste de La Rochefoucauld-Montbel',
        street: '1 rue Monsieur-le-Prince, escalier C, 4e étage gauche',
        postalCode: '75006',
      },
      parcelDetails: { weight: 2.5, nature: 'Céramique, fragile' },
      scheduledDate: '2031-03-08',
      timeSlot: '18h-20h',
      externalReference: { orderId: 'CMD-2041', shopDomain: 'fleurs-et-fils.example' },
      groupReference: 'TOURNEE-12',
      metadata: { panier: 'abc-123', cadeau: true },
      notes: 'Interphone 12B.\nAppeler avant de monter, merci !',
    }),
  });
  const id: string = body.shipping._id;
  await moveShipment(server, shop, id, 'assign');
  return `/shipments/${id}`;
}

const cancelledShipment = ({ shipmentIds }: World) => `/shipments/${shipmentIds[5]}`; // world.ts cancels this one

/** Ended long ago, with its personal data erased. */
async function erasedShipment(world: World): Promise<string> {
  const path = await richShipment(world);
  const { stage, shop } = world;
  const id = path.replace('/shipments/', '');
  await moveShipment(stage.server, shop, id, 'cancel', { reason: 'Rupture de stock' });
  await eraseShipment(stage.server, shop.id, id, new Date('2032-04-08T02:40:00Z'));
  return path;
}

async function selectRange(page: Page) {
  const boxes = page.getByRole('checkbox', { name: either('Sélectionner CMD', 'Select CMD') });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: either('Imprimer les étiquettes', 'Print labels') }).waitFor();
}

async function chooseSheets(page: Page) {
  await page.getByRole('button', { name: either('Format des étiquettes', 'Label format') }).click();
  await page.getByRole('radio', { name: either('Feuilles A4', 'A4 sheets') }).check();
  await page.getByRole('radio', { name: either('3, en bas à gauche', '3, bottom left') }).click();
}

async function cancelRange(page: Page) {
  await selectRange(page);
  await page.getByRole('button', { name: either('Annuler les envois', 'Cancel shipments') }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
}

async function savedViews({ owner }: World): Promise<string> {
  const views = { Demain: { delivery: 'tomorrow' }, 'En retard à Paris': { late: 'yes' } };
  for (const [name, filters] of Object.entries(views)) await owner.call('saveView', { body: { name, filters } });
  return '/shipments?order="earliest_delivery"';
}

/** Simulates a failing server, with a status that this test ignores in the console. */
async function failList(page: Page) {
  const json = { success: false, error: 'INTERNAL_ERROR', message: 'Erreur interne.' };
  await page.route('**/api/shipments?**', (route) => route.fulfill({ status: 404, json }));
  await page.route('**/api/shipments', (route) => route.fulfill({ status: 404, json }));
  await page.reload();
  await page.getByRole('alert').waitFor();
}

async function fillForm(page: Page) {
  await page.getByLabel(either('Poids', 'Weight')).fill('2,5');
  await page.getByLabel(either('Sur un créneau', 'In a time slot')).check();
  await page.locator('input[type=date]').fill('2031-03-08');
  await page.getByText(either('Autre créneau', 'Another time slot')).click();
  await page.getByLabel(either('Horaire souhaité', 'Preferred hours')).fill('18h-20h');
  await page.getByText(either('Samedi ou dimanche', 'Saturday or Sunday')).waitFor();
}

async function sendTooEarly(page: Page) {
  await page.getByText(/^(Collecte|Collection)$/).click();
  await fillForm(page);
  await page.locator('button[type=submit]').click();
  await page.getByText(/champs sont à corriger|fields need to be corrected/).waitFor();
}

async function askToCancel(page: Page) {
  await page.getByRole('button', { name: either('Annuler l’envoi', 'Cancel shipment') }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
}

const asNewcomer: DashboardPage['as'] = ({ newOwner }) => newOwner;

export const SHIPMENT_PAGES: DashboardPage[] = [
  { name: 'shipments', path: () => '/shipments' },
  { name: 'shipments-selected', path: () => '/shipments?status=["delivered","cancelled"]', act: selectRange },
  { name: 'shipments-cancel', path: () => '/shipments?status=["delivered","cancelled"]', act: cancelRange },
  { name: 'shipments-views', path: savedViews },
  { name: 'shipments-no-match', path: () => '/shipments?q=introuvable' },
  { name: 'shipments-newcomer', path: () => '/shipments', as: asNewcomer },
  { name: 'shipments-failed', path: () => '/shipments', act: failList },
  { name: 'shipment', path: richShipment },
  { name: 'shipment-label-format', path: richShipment, act: chooseSheets },
  { name: 'shipment-cancel', path: richShipment, act: askToCancel },
  { name: 'shipment-cancelled', path: cancelledShipment },
  { name: 'shipment-erased', path: erasedShipment },
  { name: 'shipment-new', path: () => '/shipments/new', act: fillForm },
  { name: 'shipment-new-wrong', path: () => '/shipments/new', act: sendTooEarly },
  { name: 'shipment-new-blocked', path: () => '/shipments/new', as: asNewcomer, act: fillForm },
];
