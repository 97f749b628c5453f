import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, shipMany, shipOffered } from '../../../test/dispatched.ts';
import {
  type CommandAnswer,
  type ConnectedApp,
  connectApp,
  createTestDriver,
  overHttp,
  type SendCommand,
  type TestDriver,
} from '../../../test/driver-app.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { assignAnyShipment } from './index.ts';

const RACES = 60;
const AT_ONCE = 8;

let server: TestServer;
let other: NavetteProcess;
let worker: TestWorker;
let shop: TestAccount;
let ana: TestDriver;
let bob: TestDriver;
let sockets: ConnectedApp[];
/** Each driver over each channel, on two processes. */
let senders: Record<'ana' | 'bob', { http: SendCommand; realtime: SendCommand }>;

beforeAll(async () => {
  server = await startTestServer({
    DISPATCH_WAVE_SIZE: '2',
    DISPATCH_OFFER_SECONDS: '3600',
    DISPATCH_RUNS_PER_DRIVER: '1000',
    DRIVER_REQUESTS_PER_MINUTE: '100000',
  });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  [other, worker] = await Promise.all([startNavette(['api'], server.environment), startTestWorker(server)]);
  [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  sockets = [await connectApp(other.url, ana), await connectApp(server.url, bob)];
  senders = {
    ana: { http: overHttp(server.url, ana), realtime: (sockets[0] as ConnectedApp).send },
    bob: { http: overHttp(other.url, bob), realtime: (sockets[1] as ConnectedApp).send },
  };
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await worker.stop();
  await other.stop();
  await server.stop();
});

/** Shipments with an open offer to both drivers. */
const offered = () => shipOffered(server, shop, RACES, [ana, bob]);

/** Shipments that are assigned to Ana. */
async function assigned(): Promise<string[]> {
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  const ids = await shipMany(server, shop, RACES);
  const rows = await server.db.selectFrom('shipments').select('reference_number').where('id', 'in', ids).execute();
  const outcomes = await crowd(AT_ONCE, rows, (row) => assignAnyShipment(context, row.reference_number, ana.id));
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
  return ids;
}

const cancel = (id: string) => server.call(shop, 'PUT', `/shipping/${id}/cancel`);
const channelOf = (i: number) => (i % 2 === 0 ? 'http' : 'realtime');
const ONE_AFTER_THE_OTHER = 4; // the first races are none: each order of each pair of channels occurs for certain
/** Both at the same time, alternating which request is sent first. */
async function atOnce(i: number, one: () => Promise<CommandAnswer>, two: () => Promise<CommandAnswer>) {
  const isOneFirst = i % 4 < 2;
  const [first, second] = isOneFirst ? [one, two] : [two, one];
  const answers: [CommandAnswer, CommandAnswer] =
    i < ONE_AFTER_THE_OTHER ? [await first(), await second()] : await Promise.all([first(), second()]);
  return isOneFirst ? answers : (answers.toReversed() as [CommandAnswer, CommandAnswer]);
}
/** The end of a race in one line: both responses, and the shipment's history. */
async function ending(id: string, answers: CommandAnswer[]): Promise<string> {
  const responses = answers.map(({ status, body }) => [status, body.error].filter(Boolean).join(' '));
  return `${responses.join(', ')}: ${(await factsOf(server, id)).history.join(' > ')}`;
}

describe(`${RACES} times at the same instant`, () => {
  test('two drivers accept over different channels and processes: one gets the run, the other is refused', async () => {
    const ids = await offered();
    const winners = { http: 0, realtime: 0 };
    await crowd(AT_ONCE, ids, async (id, i) => {
      const [mine, theirs] = i % 2 === 0 ? (['http', 'realtime'] as const) : (['realtime', 'http'] as const);
      const accept = {
        ana: () => senders.ana[mine]('acceptOffer', { id }),
        bob: () => senders.bob[theirs]('acceptOffer', { id }),
      };
      const [a, b] = await atOnce(i, accept.ana, accept.bob);
      const [winner, loser] = a.status === 200 ? [a, b] : [b, a];
      expect(winner).toMatchObject({ status: 200, body: { shipping: { id, status: 'assigned' } } });
      expect(loser).toMatchObject({ status: 409, body: { success: false, error: 'OFFER_GONE' } });
      const channel = winner === a ? mine : theirs;
      winners[channel]++;
      // By contract, an assignment over the socket sends no event.
      expect(await factsOf(server, id)).toMatchObject({
        status: 'assigned',
        driver: winner === a ? ana.id : bob.id,
        history: ['created', 'assigned'],
        events: channel === 'http' ? ['shipping.created', 'shipping.assigned'] : ['shipping.created'],
      });
    });
    expect(winners.http).toBeGreaterThan(0);
    expect(winners.realtime).toBeGreaterThan(0);
  });

  test('a merchant cancels while a driver accepts: the shipment ends cancelled in either order', async () => {
    const endings = await crowd(AT_ONCE, await offered(), async (id, i) => {
      const accept = () => senders.ana[channelOf(i)]('acceptOffer', { id });
      return ending(id, await atOnce(i, accept, () => cancel(id)));
    });
    const legal = ['200, 200: created > assigned > cancelled', '409 OFFER_GONE, 200: created > cancelled'];
    expect(new Set(endings)).toEqual(new Set(legal)); // both outcomes, and no other
  });

  test('a driver accepts and refuses from two phones: one of the two succeeds, never both', async () => {
    const endings = await crowd(AT_ONCE, await offered(), async (id, i) => {
      const accept = () => senders.ana[channelOf(i)]('acceptOffer', { id });
      const refuse = () => senders.ana[channelOf(i + 1)]('refuseOffer', { id });
      return ending(id, await atOnce(i, accept, refuse));
    });
    const legal = ['200, 409 OFFER_GONE: created > assigned', '409 OFFER_GONE, 200: created'];
    expect(new Set(endings)).toEqual(new Set(legal));
  });

  test('a driver picks up while the merchant cancels: one of the two succeeds, never both', async () => {
    const endings = await crowd(AT_ONCE, await assigned(), async (id, i) => {
      const pickUp = () => senders.ana[channelOf(i)]('pickUp', { id });
      return ending(id, await atOnce(i, pickUp, () => cancel(id)));
    });
    const legal = [
      '200, 400: created > assigned > picked_up',
      '409 NOT_ALLOWED_NOW, 200: created > assigned > cancelled',
    ];
    expect(new Set(endings)).toEqual(new Set(legal));
  });

  test('a driver abandons and delivers from two phones: one of the two succeeds, never both', async () => {
    const endings = await crowd(AT_ONCE, await assigned(), async (id, i) => {
      const { code: deliveryCode } = await factsOf(server, id);
      const abandon = () => senders.ana[channelOf(i + 1)]('abandon', { id });
      const deliver = () => senders.ana[channelOf(i)]('deliver', { id, deliveryCode });
      return ending(id, await atOnce(i, abandon, deliver));
    });
    const legal = [
      '200, 404: created > assigned > created',
      '409 NOT_ALLOWED_NOW, 200: created > assigned > delivered',
    ];
    expect(new Set(endings)).toEqual(new Set(legal));
  });

  test('afterwards every invariant holds', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
