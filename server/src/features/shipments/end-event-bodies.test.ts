import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { shipMany } from '../../../test/dispatched.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { endEventBodies } from './end-event-bodies.handler.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const createShop = () => server.createAccount({ paymentMode: 'deferred' });

async function bodiesOf(accountId: string): Promise<{ events: number; bodies: number }> {
  const { rows } = await sql<{ events: number; bodies: number }>`
    select count(*) as events, count(body) as bodies from events where account_id = ${accountId}`.execute(server.db);
  return rows[0] as { events: number; bodies: number };
}

test('the body of an event ends once its day of deliveries is dropped; the event stays, and the feed goes on after it', async () => {
  const [shop, other] = [await createShop(), await createShop()];
  for (const account of [shop, other]) await shipMany(server, account, 3);
  expect(await endEventBodies(server.db, inDays(30))).toBe(0);
  expect(await bodiesOf(shop.id)).toEqual({ events: 3, bodies: 3 });
  expect(await endEventBodies(server.db, inDays(32))).toBe(6);
  expect(await bodiesOf(shop.id)).toEqual({ events: 3, bodies: 0 });
  expect(await bodiesOf(other.id)).toEqual({ events: 3, bodies: 0 });
  expect(await brokenInvariants(server)).toEqual([]);

  await shipMany(server, shop, 1);
  const { body } = await server.call(shop, 'GET', '/feed/events?after=0');
  expect(body).toMatchObject({ cursor: '4', events: [{ cursor: '4', event: 'shipping.created' }] });
});

test('a run reads the events after the position of the last one only, and leaves out an account that another cell serves', async () => {
  const [shop, moved] = [await createShop(), await createShop()];
  await shipMany(server, shop, 2);
  await shipMany(server, moved, 2);
  await sql`update accounts set moved_to = 'north' where id = ${moved.id}`.execute(server.db);
  await endEventBodies(server.db, inDays(32));
  expect(await bodiesOf(moved.id)).toEqual({ events: 2, bodies: 2 });
  await shipMany(server, shop, 1);
  expect(await endEventBodies(server.db, inDays(32))).toBe(1);
  await sql`update event_body_cursors set position = ${randomUUIDv7()} where account_id = ${shop.id}`.execute(
    server.db,
  );
  expect(await endEventBodies(server.db, inDays(32))).toBe(0);
});
