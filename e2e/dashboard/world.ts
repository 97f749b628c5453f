import type { ShipmentRequest } from '@navette/contract';
import { demoRequest } from '../../server/src/demo/demo-requests.ts';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { createTestMember, type TestMember } from '../../server/test/dashboard.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import type { Stage } from './stage.ts';

/** A busy shop and a new one, with their owners. */
export interface World {
  stage: Stage;
  shop: TestAccount;
  owner: TestMember;
  /** Shipments of `shop`, newest last. */
  shipmentIds: string[];
  newShop: TestAccount;
  newOwner: TestMember;
}

type Trigger = Parameters<typeof moveShipment>[3];
const UNTIL_DELIVERED: Trigger[] = ['assign', 'pick_up', 'depart', 'deliver'];
const DAY_MS = 86_400_000;

function request(number: number): ShipmentRequest {
  const { deliveryAddress, parcelDetails, externalReference } = demoRequest(number);
  const { recipientName, street, postalCode, city } = deliveryAddress;
  return shipmentRequest({
    deliveryAddress: { ...shipmentRequest().deliveryAddress, recipientName, street, postalCode, city },
    parcelDetails,
    externalReference,
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
  const steps = day < 13 ? UNTIL_DELIVERED : UNTIL_DELIVERED.slice(0, number % 4);
  const late = number % 9 === 4 ? DAY_MS : 0;
  if (number % 8 === 5) await moveShipment(server, shop, id, 'cancel', { now: at, reason: 'Commande annulée' });
  else
    for (const trigger of steps) await moveShipment(server, shop, id, trigger, { now: new Date(at.getTime() + late) });
  return id;
}

const person = ({ server }: Stage, account: TestAccount, name: string): Promise<TestMember> =>
  createTestMember(server, account.id, 'owner', { email: `${account.clientId}@example.org`, name });
