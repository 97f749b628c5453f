import type { ShipmentRequest } from '@navette/contract';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { createTestMember, type TestMember } from '../../server/test/dashboard.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import type { Stage } from './stage.ts';

/** A shop in full swing and one that has just begun, with the people who look at them. */
export interface World {
  stage: Stage;
  shop: TestAccount;
  owner: TestMember;
  /** Of `shop`, newest last. */
  shipmentIds: string[];
  newShop: TestAccount;
  newOwner: TestMember;
}

type Trigger = Parameters<typeof moveShipment>[3];
const TO_THE_DOOR: Trigger[] = ['assign', 'pick_up', 'depart', 'deliver'];
const DAY_MS = 86_400_000;

const PEOPLE = [
  ['Camille Durand', '8 avenue de l’Opéra', '75001', 'Paris'],
  ['Zoé Lefèvre-Beauchamp', '27 rue du Faubourg Saint-Antoine', '75011', 'Paris'],
  ['Yanis Ben Youssef', '3 place de la République', '93100', 'Montreuil'],
  ['Maëlle Le Guen', '112 bis boulevard Voltaire', '75011', 'Paris'],
  [
    'Jean-Baptiste de La Rochefoucauld-Montbel',
    '1 rue Monsieur-le-Prince, escalier C, 4e étage gauche',
    '75006',
    'Paris',
  ],
  ['Inès Garcia', '45 rue de Belleville', '75019', 'Paris'],
  ['Thomas Nguyen', '6 quai de Valmy', '75010', 'Paris'],
  ['Aïcha Diallo', '18 rue des Pyrénées', '92130', 'Issy-les-Moulineaux'],
] as const;
const NATURES = ['Bouquet rond', 'Vêtements', 'Livres', 'Céramique, fragile', 'Épicerie fine'];

function request(number: number): ShipmentRequest {
  const [recipientName, street, postalCode, city] = PEOPLE[number % PEOPLE.length] ?? PEOPLE[0];
  const { deliveryAddress } = shipmentRequest();
  return shipmentRequest({
    deliveryAddress: { ...deliveryAddress, recipientName, street, postalCode, city },
    parcelDetails: { weight: 0.8 + (number % 7) * 0.9, nature: NATURES[number % NATURES.length] ?? 'Colis' },
    externalReference: { orderId: `CMD-${2040 + number}` },
  });
}

export async function createWorld(stage: Stage): Promise<World> {
  const { server } = stage;
  const shop = await server.createAccount({ name: 'Fleurs & Fils', minimumPrice: 6.5, pricePerKg: 9.9 });
  await addCredit(server.db, shop.id, 60_000, 'Virement du 2 novembre');
  const shipmentIds: string[] = [];
  const now = Date.now();
  const perDay = [1, 2, 0, 3, 2, 4, 1, 0, 2, 5, 3, 4, 2, 6];
  for (const [index, count] of perDay.entries()) {
    const at = new Date(now - (perDay.length - 1 - index) * DAY_MS);
    server.setNow(at);
    for (let i = 0; i < count; i++) shipmentIds.push(await ship(stage, shop, shipmentIds.length, at, index));
  }
  server.setNow(null);
  const newShop = await server.createAccount({ name: 'Atelier Brume', pickupAddress: undefined as never });
  return {
    stage,
    shop,
    owner: await person(stage, shop, 'Zoé Martin'),
    shipmentIds,
    newShop,
    newOwner: await person(stage, newShop, 'Hugo Petit'),
  };
}

async function ship(stage: Stage, shop: TestAccount, number: number, at: Date, day: number): Promise<string> {
  const { server } = stage;
  const { body, status } = await server.call(shop, 'POST', '/shipping', { body: request(number) });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const id: string = body.shipping._id;
  const steps = day < 13 ? TO_THE_DOOR : TO_THE_DOOR.slice(0, number % 4);
  const late = number % 9 === 4 ? DAY_MS : 0;
  if (number % 8 === 5) await moveShipment(server, shop, id, 'cancel', { now: at, reason: 'Commande annulée' });
  else
    for (const trigger of steps) await moveShipment(server, shop, id, trigger, { now: new Date(at.getTime() + late) });
  return id;
}

const person = ({ server }: Stage, account: TestAccount, name: string): Promise<TestMember> =>
  createTestMember(server, account.id, 'owner', { email: `${account.clientId}@example.org`, name });
