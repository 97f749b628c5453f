import type { ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { assignAnyShipment, confirmAnyDelivery } from '../src/features/dispatch/index.ts';
import { signReference } from '../src/features/shipments/index.ts';
import type { TestMember } from './dashboard.ts';
import { overHttp, type TestDriver } from './driver-app.ts';
import { importFile, importLine } from './import-file.ts';
import { newPerson, type Person, requestFor } from './people.ts';
import type { TestAccount, TestServer } from './test-server.ts';
import { workDone } from './test-worker.ts';

export interface KnownShipment {
  id: string;
  referenceNumber: string;
  pdfUrl: string;
  kind: string;
  /** All persons whose details are in it. */
  people: Person[];
  idempotencyKey: string | null;
}

export interface World {
  server: TestServer;
  shop: TestAccount;
  member: TestMember;
  driver: TestDriver;
}

/** The customer of a collection: their address is the pickup, the merchant's workshop the destination. */
const collectionFrom = (person: Person): Partial<ShipmentRequest> => ({
  isCollection: true,
  pickupAddress: { street: person.street, city: 'Paris', postalCode: '75002' },
  collectionContact: { phoneNumber: person.phone, email: person.email, name: person.name },
  notes: person.notes,
});

/** Fields in which a merchant may write about the person. */
const ownFields = ({ name, email, phone, street }: Person): Partial<ShipmentRequest> => {
  const gift = { from: name };
  return {
    externalReference: { orderId: `${email}-2041`, shopDomain: `${name.split(' ')[1]}.example.org`, ...{ gift } },
    groupReference: `${name} ${phone.slice(3)}`,
    metadata: { customer: { name, phones: [phone], street } },
    parcelDetails: { weight: 1.5, nature: `Cadeau pour ${name}` },
  };
};

/** One shipment per way to create it; all are express unless their request is scheduled. */
async function createAll({ server, shop, member }: World): Promise<KnownShipment[]> {
  const made: KnownShipment[] = [];
  const create = async (
    kind: string,
    people: Person[],
    body: ShipmentRequest,
    idempotencyKey: string | null = null,
  ) => {
    const headers = idempotencyKey ? { 'x-idempotency-key': idempotencyKey } : {};
    const answer = await server.call(shop, 'POST', '/shipping', { body, headers });
    if (answer.status !== 201) throw new Error(`${kind}: ${JSON.stringify(answer.body)}`);
    made.push(known(kind, people, answer.body.shipping, idempotencyKey));
  };
  for (const kind of ['plain', 'delivered by the operator', 'given back', 'cancelled', 'cancelled by a member']) {
    const person = newPerson();
    await create(kind, [person], requestFor(person));
  }
  const [natural, own, scheduled, unlocated, elsewhere, ...collected] = Array.from({ length: 8 }, newPerson) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    ...Person[],
  ];
  await create('natural key', [natural], requestFor(natural), `order of ${natural.email}`);
  await create('own fields', [own], requestFor(own, ownFields(own)));
  const slot = { scheduledDate: new Date(Date.now() + 2 * 86_400_000).toISOString(), timeSlot: '14h-16h' };
  await create('scheduled', [scheduled], requestFor(scheduled, slot));
  const { coordinates: _, ...address } = requestFor(unlocated).deliveryAddress;
  await create('to be located', [unlocated], requestFor(unlocated, { deliveryAddress: address }));
  const pickupAddress = { street: elsewhere.street, city: 'Paris', postalCode: '75002' };
  const other = newPerson();
  await create('other pickup', [other, elsewhere], requestFor(other, { pickupAddress }));
  for (const person of collected)
    await create('collection', [person], {
      ...requestFor(newPerson()),
      ...collectionFrom(person),
      deliveryAddress: requestFor(person).deliveryAddress,
    });

  const batch = Array.from({ length: 4 }, newPerson);
  const answer = await server.call(shop, 'POST', '/shipping/batch', {
    body: { shippings: batch.map((person) => requestFor(person)) },
  });
  for (const { index, shipping } of answer.body.shippings)
    made.push(known('batch', [batch[index] as Person], shipping));

  const imported = Array.from({ length: 3 }, newPerson);
  made.push(...(await importAll(server, shop, member, imported)));
  const typed = newPerson();
  const { body } = await member.call('createShipment', {
    body: requestFor(typed),
    headers: { 'x-idempotency-key': `typed-${typed.phone}` },
  });
  made.push(known('dashboard', [typed], body.shipment, `typed-${typed.phone}`));
  return made;
}

type Named = { _id: string; referenceNumber: string; pdfUrl: string };

const known = (kind: string, people: Person[], shipping: Named, idempotencyKey: string | null = null) => ({
  id: shipping._id,
  referenceNumber: shipping.referenceNumber,
  pdfUrl: shipping.pdfUrl,
  kind,
  people,
  idempotencyKey,
});

/** A file with a line for each person, and an invalid line for the first. */
async function importAll(server: TestServer, shop: TestAccount, member: TestMember, people: Person[]) {
  const cellsOf = ({ name, street, phone, email, notes }: Person) => ({
    Destinataire: name,
    Adresse: street,
    Téléphone: phone,
    'E-mail': email,
    Notes: notes,
  });
  const lines = people.map((person, i) => importLine(`import-${i}`, cellsOf(person)));
  const bad = importLine('bad', { ...cellsOf(people[0] as Person), 'Poids (kg)': `lourd ${people[0]?.name}` });
  const filename = `commandes de ${people[0]?.name}.csv`;
  const preview = await member.call('previewImport', { body: { filename, text: importFile([...lines, bad]) } });
  const { id } = preview.body.import;
  await member.call('startImport', { params: { id } });
  await workDone(server);
  const { body } = await server.call(shop, 'GET', '/shipping', { query: { limit: '100' } });
  return people.map((person) => {
    const shipping = body.shippings.find(
      (one: { deliveryAddress: { email: string } }) => one.deliveryAddress.email === person.email,
    );
    return known('import', [person], shipping, shipping.metadata.idempotencyKey);
  });
}

/** Ends each shipment as its kind requires, through the public APIs; every free text names the person. */
async function endAll({ server, shop, member, driver }: World, shipments: KnownShipment[]): Promise<void> {
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  const send = overHttp(server.url, driver);
  const expectOk = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
  };
  for (const { id, kind, referenceNumber, people } of shipments) {
    const reason = `${people[0]?.name} l’a demandé (${people[0]?.phone})`;
    if (kind === 'cancelled') {
      await expectOk(server.call(shop, 'PUT', `/shipping/${id}/cancel`, { body: { reason } }));
    } else if (kind === 'cancelled by a member') {
      await expectOk(member.call('cancelShipment', { params: { id }, body: { reason } }));
    } else {
      await assignAnyShipment(context, referenceNumber, driver.id);
      if (kind === 'given back') {
        await expectOk(send('abandon', { id, reason }));
        await assignAnyShipment(context, referenceNumber, driver.id);
      }
      const pickupToken = signReference(server.config.linkSecrets, 'pick-up', referenceNumber);
      await expectOk(send('pickUp', { id, ...(kind === 'collection' ? { pickupToken } : {}) }));
      await expectOk(send('depart', { id }));
      if (kind === 'delivered by the operator') await confirmAnyDelivery(context, referenceNumber, reason);
      else await expectOk(send('deliver', { id, deliveryCode: codeOf(referenceNumber) }));
    }
  }
}

/** Unmistakable delivery codes: six digits would also be found in timestamps. */
const codeOf = (referenceNumber: string) => `code-${referenceNumber}`;

/** Some two dozen shipments of every kind, all ended, with labels, tracking pages, messages and webhooks. */
export async function endedShipmentsOfEveryKind(world: World): Promise<KnownShipment[]> {
  const { server, shop } = world;
  const shipments = await createAll(world);
  await sql`update shipments set delivery_code = 'code-' || reference_number where account_id = ${shop.id}`.execute(
    server.db,
  );
  for (const { id, referenceNumber } of shipments) {
    await server.call(shop, 'POST', `/shipping/${id}/view-link`);
    await fetch(`${server.url}/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}`);
  }
  await workDone(server); // all messages are sent before the shipments end
  await endAll(world, shipments);
  await workDone(server);
  return shipments;
}
