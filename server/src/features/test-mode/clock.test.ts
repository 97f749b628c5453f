import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, ship, shipMany } from '../../../test/dispatched.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { createTwin } from '../../../test/twin.ts';
import { activateShipmentJob } from '../../jobs/definitions.ts';
import { signReference } from '../shipments/index.ts';
import { moveClock } from './clock.ts';
import { emptyIdleTwins } from './empty-idle-twins.handler.ts';

const DAY_MS = 86_400_000;
const OFFER_MS = 30_000;
const RETRY_MS = 60_000;
const WAIT = { timeout: 240_000 };

let server: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  server = await startTestServer();
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const newTwin = async () => createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
/** Repeats the call while the response says so, which happens on a busy machine. */
async function move(twin: TestAccount, to: Date | string) {
  const body = { to: typeof to === 'string' ? to : to.toISOString() };
  for (let calls = 1; ; calls++) {
    const answer = await server.call(twin, 'POST', '/test/clock', { body });
    if (answer.status !== 202 || calls >= timeLimitMs(1)) return answer;
  }
}
const until = (twin: TestAccount, id: string, status: string) =>
  server.call(twin, 'POST', `/test/shipping/${id}/until`, { body: { status } });
const twinTime = async (twin: TestAccount) =>
  Date.parse((await server.call(twin, 'GET', '/test/clock')).body.clock.now);
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The next last Sunday of March or October, on which clocks in Paris change at 1:00 UTC. */
function nextChange(month: 'March' | 'October'): string {
  for (let year = new Date().getFullYear(); ; year++) {
    const last = new Date(Date.UTC(year, month === 'March' ? 2 : 9, 31));
    last.setUTCDate(31 - last.getUTCDay());
    if (last.getTime() > Date.now() + 2 * DAY_MS) return dayOf(last.getTime());
  }
}

interface Story {
  activateAt: Date;
  history: { status: string; at: string }[];
  startedAt: Date | null;
  offeredAt: Date[];
  nextAt: Date | null;
}

const storyOf = async (id: string): Promise<Story> => {
  const { rows } = await sql<Story>`
    select s.activate_at as "activateAt", s.status_history as history, q.started_at as "startedAt", q.next_at as "nextAt",
      array(select o.offered_at from driver_offers o where o.shipment_id = s.id order by o.offered_at) as "offeredAt"
    from shipments s left join driver_searches q on q.shipment_id = s.id where s.id = ${id}`.execute(server.db);
  if (!rows[0]) throw new Error('no such shipment');
  return rows[0];
};

describe('a programmed shipment on the day on which the clocks in Paris change', () => {
  for (const [month, slotStart, slotUtc] of [
    ['March', '14h-16h', '12:00'], // 14h of summer time
    ['October', '14h-16h', '13:00'], // 14h of winter time
  ] as const) {
    test(`in ${month} is activated, searched for and offered at its own instant, by one call`, async () => {
      const twin = await newTwin();
      const date = nextChange(month);
      const { _id: id } = await ship(server, twin, { scheduledDate: date, timeSlot: slotStart });
      const startsAt = new Date(`${date}T${slotUtc}:00Z`);
      const due = new Date(startsAt.getTime() - 3_600_000);

      const { status, body } = await move(twin, startsAt);
      expect([status, body.clock.movingTo]).toEqual([200, null]);
      expect(Date.parse(body.clock.now)).toBeGreaterThanOrEqual(startsAt.getTime());
      expect(Date.parse(body.clock.now)).toBeLessThan(startsAt.getTime() + timeLimitMs(60_000));

      const story = await storyOf(id);
      expect(story.activateAt).toEqual(due);
      expect(story.history.map(({ status }) => status)).toEqual(['programmed', 'created']);
      expect(story.history[1]?.at).toBe(due.toISOString());
      expect(story.startedAt).toEqual(due);
      expect(story.offeredAt[0]).toEqual(due);
      expect(story.offeredAt[1]).toEqual(new Date(due.getTime() + OFFER_MS + RETRY_MS)); // nobody answered: another round
      expect(story.nextAt?.getTime()).toBeGreaterThan(startsAt.getTime()); // its last step was at the target
      expect(story.nextAt?.getTime()).toBeLessThanOrEqual(startsAt.getTime() + RETRY_MS);

      expect((await until(twin, id, 'delivered')).body.status).toBe('delivered');
      const { history } = await storyOf(id);
      const times = history.map(({ at }) => Date.parse(at));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeGreaterThanOrEqual(startsAt.getTime());
      expect(times.at(-1)).toBeLessThanOrEqual(await twinTime(twin));
    });
  }
});

test('new shipments, slots, prices and statistics follow the clock', async () => {
  const twin = await newTwin();
  const before = await twinTime(twin);
  const tomorrow = dayOf(before + DAY_MS);
  const slot = { scheduledDate: tomorrow, timeSlot: '10h-12h' };
  expect((await server.call(twin, 'POST', '/rates', { body: { weight: 1, ...slot } })).status).toBe(200);
  expect((await move(twin, new Date(before + 3 * DAY_MS))).status).toBe(200);

  const refused = await server.call(twin, 'POST', '/shipping', { body: shipmentRequest(slot) });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('passé')]);
  const { _id: id } = await ship(server, twin);
  const [created] = (await storyOf(id)).history;
  expect(Date.parse(created?.at ?? '')).toBeGreaterThanOrEqual(before + 3 * DAY_MS);
  const { body } = await server.call(twin, 'GET', '/shipping/stats');
  expect(body.stats.last30Days.at(-1)).toMatchObject({ count: 1 });
});

test('the windows of the request limits follow the clock', async () => {
  const twin = await newTwin();
  await server.call(twin, 'PUT', '/test/account', { body: { requestsPerMinute: 4 } });
  const call = () => server.call(twin, 'GET', '/test/courier');
  await expect.poll(async () => (await call()).status, WAIT).toBe(429);
  const reset = Number((await call()).headers.get('x-ratelimit-reset')) * 1000;
  expect(Math.abs(reset - Date.now())).toBeLessThan(62_000); // real time, for which clients wait
  await sql`update accounts set clock_ahead_ms = 3600000 where id = ${twin.id}`.execute(server.db);
  await expect.poll(async () => (await call()).status, WAIT).toBe(200);
});

test('a tracking link expires by the clock', async () => {
  const twin = await newTwin();
  const { _id: id, referenceNumber } = await ship(server, twin);
  await until(twin, id, 'delivered');
  const link = `${server.url}/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}`;
  expect((await fetch(link)).status).toBe(200);
  await move(twin, new Date(Date.now() + (server.config.trackingLinkDays + 1) * DAY_MS));
  expect((await fetch(link)).status).toBe(410);
});

test('it goes forward only, to an instant with an offset, and not too far', async () => {
  const twin = await newTwin();
  const to = new Date(Date.now() + DAY_MS);
  expect((await move(twin, to)).status).toBe(200);
  const back = await move(twin, new Date(to.getTime() - 1_000));
  expect([back.status, back.body.success, back.body.clock.movingTo]).toEqual([409, false, null]);
  expect((await move(twin, to)).status).toBe(200); // the same call again, as after a lost response
  for (const wrong of ['tomorrow', '2027-03-28T14:00:00', new Date(Date.now() + 1_101 * DAY_MS).toISOString()])
    expect([wrong, (await move(twin, wrong)).status]).toEqual([wrong, 400]);
  expect(await twinTime(twin)).toBeLessThan(to.getTime() + timeLimitMs(120_000));
});

test('a call that was not enough is repeated', async () => {
  const twin = await newTwin();
  const scheduledDate = dayOf(Date.now() + 5 * DAY_MS);
  const { _id: id } = await ship(server, twin, { scheduledDate, timeSlot: '14h-16h' });
  const to = new Date(Date.now() + 6 * DAY_MS);
  const context = {
    db: server.db,
    jobs: server.jobs,
    config: server.config,
    creation: undefined as never,
    now: () => new Date(),
  };
  expect(await moveClock(context, twin.id, to, 0)).toBe('unfinished');
  expect((await server.call(twin, 'GET', '/test/clock')).body.clock.movingTo).toBe(to.toISOString());
  expect((await move(twin, to)).body.clock.movingTo).toBe(null);
  expect((await storyOf(id)).history[1]?.at).toBe((await storyOf(id)).activateAt.toISOString());
});

test('fifty searches and more end at the target, each by a step of its own', async () => {
  const twin = await newTwin();
  const ids = await shipMany(server, twin, 60);
  const to = new Date(Date.now() + 300 * DAY_MS);
  expect((await move(twin, to)).status).toBe(200);
  const { rows } = await sql<{ nextAt: Date }>`
    select next_at as "nextAt" from driver_searches where account_id = ${twin.id} and ended_at is null`.execute(
    server.db,
  );
  expect(rows).toHaveLength(ids.length);
  for (const { nextAt } of rows) expect(nextAt.getTime()).toBeGreaterThan(to.getTime());
});

test('jobs that wait keep their time by the clock, and run when it comes by itself', async () => {
  const twin = await newTwin();
  const slotDay = dayOf(Date.now() + 20 * DAY_MS);
  const { _id: id } = await ship(server, twin, { scheduledDate: slotDay, timeSlot: '14h-16h' });
  const { activateAt } = await storyOf(id);
  await move(twin, new Date(activateAt.getTime() - 2_000));
  const { rows } = await sql<{ startAfter: Date }>`
    select start_after as "startAfter" from pgboss.job
    where name = ${activateShipmentJob.name} and singleton_key = ${id}`.execute(server.db);
  expect(Math.abs((rows[0]?.startAfter.getTime() ?? 0) - Date.now())).toBeLessThan(timeLimitMs(30_000));
  await expect.poll(async () => (await factsOf(server, id)).status, WAIT).toBe('created');
  const { history } = await storyOf(id);
  expect(Date.parse(history[1]?.at ?? '') - activateAt.getTime()).toBeGreaterThanOrEqual(0);
});

test('two calls at once end at the later instant, with each activation once at its own time', async () => {
  const twin = await newTwin();
  const days = [3, 4, 5].map((day) => dayOf(Date.now() + day * DAY_MS));
  const ids: string[] = [];
  for (const scheduledDate of days) ids.push((await ship(server, twin, { scheduledDate, timeSlot: '14h-16h' }))._id);
  const targets = [6, 7].map((day) => new Date(Date.now() + day * DAY_MS));
  const answers = await Promise.all(targets.map((to) => move(twin, to)));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(await twinTime(twin)).toBeGreaterThanOrEqual(targets[1]?.getTime() ?? 0);
  for (const id of ids) {
    const { history, activateAt } = await storyOf(id);
    expect(history.map(({ status }) => status)).toEqual(['programmed', 'created']);
    expect(Date.parse(history[1]?.at ?? '') - activateAt.getTime()).toBeLessThan(timeLimitMs(60_000));
  }
});

test('robots in mode `auto` carry what the clock activated', async () => {
  const twin = await newTwin();
  await server.call(twin, 'PUT', '/test/courier', { body: { mode: 'auto', secondsPerStep: 1 } });
  const scheduledDate = dayOf(Date.now() + 2 * DAY_MS);
  const { _id: id } = await ship(server, twin, { scheduledDate, timeSlot: '14h-16h' });
  await move(twin, new Date(`${scheduledDate}T12:30:00Z`));
  await expect.poll(async () => (await factsOf(server, id)).history, WAIT).toContain('picked_up');
});

test('a live account has no clock: the API does not have the endpoint, and the table refuses the columns', async () => {
  const live = await server.createAccount();
  expect((await server.call(live, 'GET', '/test/clock')).status).toBe(404);
  expect((await move(live, new Date(Date.now() + DAY_MS))).status).toBe(404);
  for (const change of [sql`clock_ahead_ms = 1`, sql`clock_held_at = now()`, sql`clock_target = now()`])
    await expect(sql`update accounts set ${change} where id = ${live.id}`.execute(server.db)).rejects.toThrow(
      'accounts_live_ones_have_no_clock',
    );
});

test('emptying the twin sets the clock to the real time', async () => {
  const twin = await newTwin();
  await ship(server, twin);
  await move(twin, new Date(Date.now() + 400 * DAY_MS));
  expect((await server.call(twin, 'DELETE', '/test/data')).body.deleted).toBe(1);
  const { body } = await server.call(twin, 'GET', '/test/clock');
  expect(body.clock).toMatchObject({ aheadSeconds: 0, movingTo: null });
  const { _id: id } = await ship(server, twin);
  expect((await until(twin, id, 'delivered')).body.status).toBe('delivered');
});

test('a twin in the future is emptied after 30 idle days of real time', async () => {
  const twin = await newTwin();
  await move(twin, new Date(Date.now() + 300 * DAY_MS));
  await ship(server, twin);
  await sql`update api_keys set last_used_at = null where account_id = ${twin.id}`.execute(server.db);
  const shipments = async () =>
    Number(
      (await sql<{ n: number }>`select count(*) as n from shipments where account_id = ${twin.id}`.execute(server.db))
        .rows[0]?.n,
    );
  const log = { info: () => {} } as never;
  await emptyIdleTwins(server.db, log, new Date(Date.now() + 29 * DAY_MS));
  expect(await shipments()).toBe(1);
  await emptyIdleTwins(server.db, log, new Date(Date.now() + 31 * DAY_MS));
  expect(await shipments()).toBe(0);
});

test('the audit finds nothing wrong', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
