import { MAX_RECURRING, type Occurrence } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { openRecurring, recurringRequest } from '../../../test/recurring.ts';
import { rowsRead } from '../../../test/rows-read.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { addCredit } from '../ledger/index.ts';
import { createAnyDue } from './create-any-due.ts';
import type { RecurringContext } from './create-due.ts';
import { listRecurring } from './read-recurring.ts';

let server: TestServer;
let context: Awaited<ReturnType<typeof openRecurring>>;
let at = new Date();
beforeAll(async () => {
  server = await startTestServer();
  context = await openRecurring(server.config, () => at);
});
afterAll(async () => {
  await context.close();
  await server.stop();
});

/** Sets the time of the API and of the job. */
function setNow(time: string): void {
  at = new Date(time);
  server.setNow(at);
}
const runJob = async (time: string) => {
  setNow(time);
  await createAnyDue(context, at);
};

type Writer = RecurringContext['creation']['writer'];
/** The job's context, with another way to insert a shipment. */
function inserting(
  insert: (prepared: Parameters<Writer['insertOne']>[0], writer: Writer) => ReturnType<Writer['insertOne']>,
): RecurringContext {
  const { creation } = context;
  const writer: Writer = { ...creation.writer, insertOne: (prepared) => insert(prepared, creation.writer) };
  return { ...context, creation: { ...creation, writer } };
}

async function newMember(settings: Parameters<TestServer['createAccount']>[0] = { paymentMode: 'deferred' }) {
  server.setNow(null);
  const shop = await server.createAccount(settings);
  const member = await createTestMember(server, shop.id, 'operations');
  await sql`
    update member_sessions set last_seen_at = '2030-01-01', expires_at = '2031-01-01'
    where account_id = ${shop.id}`.execute(server.db); // the tests jump over months
  return { shop, member };
}

let keys = 0;
const create = (member: TestMember, changes = {}, key = `form-${++keys}`) =>
  member.call('createRecurring', {
    body: recurringRequest(changes),
    headers: { 'x-idempotency-key': key },
  });
const started = async (member: TestMember, changes = {}) => (await create(member, changes)).body.recurring.id as string;
const read = async (member: TestMember, id: string) =>
  (await member.call('readRecurring', { params: { id } })).body.recurring;
const setState = (member: TestMember, id: string, state: 'active' | 'paused' | 'ended') =>
  member.call('setRecurringState', { params: { id }, body: { state } });
const skip = (member: TestMember, id: string, day: string, skipped = true) =>
  member.call('setOccurrence', { params: { id, day }, body: { skipped } });
const shipmentsOf = async (shop: TestAccount) =>
  (
    await sql<{ day: string; at: Date; platform: string; price: number }>`
      select scheduled_date::text as day, slot_starts_at as at, platform, price_cents as price
      from shipments where account_id = ${shop.id} order by scheduled_date`.execute(server.db)
  ).rows;
const daysOf = async (shop: TestAccount) => (await shipmentsOf(shop)).map(({ day }) => day);
const states = (occurrences: Occurrence[]) => occurrences.map(({ day, state }) => `${day} ${state}`);

describe('the job', () => {
  test('creates a shipment 72 hours before its slot, as any creation: charged, announced, with its origin', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    await runJob('2027-03-01T08:01Z');
    expect(await shipmentsOf(shop)).toMatchObject([{ day: '2027-03-02', platform: 'recurring', price: 1_750 }]);
    await runJob('2027-03-06T08:59Z');
    expect(await daysOf(shop)).toEqual(['2027-03-02']);
    await runJob('2027-03-06T09:01Z');
    expect(await daysOf(shop)).toEqual(['2027-03-02', '2027-03-09']);
    const facts = await sql<{ events: number; charged: number }>`
      select (select count(*) from events where account_id = ${shop.id} and type = 'shipping.created') as events,
             (select sum(amount_cents)::int from ledger_entries where account_id = ${shop.id}) as charged`.execute(
      server.db,
    );
    expect(facts.rows).toEqual([{ events: 2, charged: -3_500 }]);
    const { upcoming, past, next } = await read(member, id);
    expect(states(upcoming).slice(0, 2)).toEqual(['2027-03-09 created', '2027-03-16 planned']);
    expect(upcoming[1]).toMatchObject({ price: 17.5, startsAt: '2027-03-16T09:00:00.000Z' });
    expect(states(past)).toEqual(['2027-03-02 created']);
    expect(next.day).toBe('2027-03-09');
  });

  test('records a lack of balance with its reason, notifies the merchant once, and retries until the slot starts', async () => {
    const { shop, member } = await newMember({ paymentMode: 'prepaid' });
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { weekdays: [2, 3], startsOn: '2027-03-01' });
    await runJob('2027-03-01T08:01Z');
    const refused = await read(member, id);
    expect(states(refused.upcoming).slice(0, 2)).toEqual(['2027-03-02 refused', '2027-03-03 refused']);
    expect(refused.problem).toEqual({ day: '2027-03-02', reason: 'INSUFFICIENT_BALANCE' });
    await runJob('2027-03-02T09:30Z'); // the first slot has started
    expect(states((await read(member, id)).past)).toEqual(['2027-03-02 missed']);

    server.setNow(null);
    await addCredit(server.db, shop.id, 5_000, 'Virement');
    await runJob('2027-03-02T09:41Z');
    expect(await daysOf(shop)).toEqual(['2027-03-03']);
    const healed = await read(member, id);
    expect(healed.problem).toBeNull();
    expect(healed.past).toMatchObject([{ day: '2027-03-02', state: 'missed', reason: 'INSUFFICIENT_BALANCE' }]);
    const { rows } = await sql`
      select from pgboss.job where name = 'send-member-mail' and data->>'about' = ${id}`.execute(server.db);
    expect(rows).toHaveLength(1);
  });

  test('records an occurrence as missed that no worker could create in time', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    await runJob('2027-03-10T08:00Z');
    expect(await daysOf(shop)).toEqual([]);
    expect((await read(member, id)).past).toMatchObject([
      { day: '2027-03-09', state: 'missed', reason: 'SLOT_PASSED' },
      { day: '2027-03-02', state: 'missed', reason: 'SLOT_PASSED' },
    ]);
  });

  test('two at the same moment create each occurrence once', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const three = [1, 2, 3];
    await Promise.all(three.map(() => started(member, { weekdays: [1, 2, 3, 4], startsOn: '2027-03-01' })));
    await Promise.all(three.map(() => runJob('2027-03-01T08:30Z')));
    const days = ['2027-03-01', '2027-03-02', '2027-03-03'];
    expect(await daysOf(shop)).toEqual(days.flatMap((day) => three.map(() => day)));
  });

  test('two that meet in one batch of the writer create an occurrence once', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    await started(member, { startsOn: '2027-03-01' });
    const kinds: string[] = [];
    const twice = inserting(async (prepared, writer) => {
      const [first, second] = await writer.insertMany([prepared, prepared]);
      if (!first || !second) throw new Error('the writer answered fewer outcomes than shipments');
      kinds.push(first.kind, second.kind);
      return first;
    });
    setNow('2027-03-01T08:01Z');
    await createAnyDue(twice, at);
    expect(kinds).toEqual(['created', 'replay']);
    expect(await daysOf(shop)).toEqual(['2027-03-02']);
  });

  test('ends a schedule after its last day', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01', endsOn: '2027-03-10' });
    await runJob('2027-03-01T08:01Z');
    await runJob('2027-03-08T08:01Z');
    expect((await read(member, id)).state).toBe('active');
    await runJob('2027-03-10T23:01Z');
    expect((await read(member, id)).state).toBe('ended');
    expect(await daysOf(shop)).toEqual(['2027-03-02', '2027-03-09']);
  });
});

describe('a member', () => {
  test('skips an occurrence and restores it; one that has a shipment is refused, another day is not found', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    expect(states((await skip(member, id, '2027-03-02')).body.recurring.upcoming)[0]).toBe('2027-03-02 skipped');
    await skip(member, id, '2027-03-09');
    await runJob('2027-03-01T08:01Z');
    expect(await daysOf(shop)).toEqual([]);
    expect((await skip(member, id, '2027-03-09', false)).body.recurring.next.day).toBe('2027-03-09');
    await runJob('2027-03-08T08:01Z');
    expect(await daysOf(shop)).toEqual(['2027-03-09']);
    expect((await skip(member, id, '2027-03-09')).body.error).toBe('OCCURRENCE_CREATED');
    for (const day of ['2027-03-10', '2027-03-02', '2026-12-29', '2029-03-06', '9999-12-28']) {
      expect((await skip(member, id, day)).status, day).toBe(404);
    }
    expect((await read(member, id)).past).toEqual([]); // a skipped one is not missed
  });

  test('pauses and resumes: nothing of the pause is created or missed', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    await setState(member, id, 'paused');
    await runJob('2027-03-01T08:01Z');
    setNow('2027-03-20T08:00Z');
    expect((await setState(member, id, 'active')).body.recurring.state).toBe('active');
    await runJob('2027-03-20T09:01Z');
    expect(await daysOf(shop)).toEqual(['2027-03-23']);
    expect((await read(member, id)).past).toEqual([]);
    expect((await setState(member, id, 'ended')).body.recurring).toMatchObject({
      state: 'ended',
      upcoming: [],
      next: null,
    });
    expect((await setState(member, id, 'active')).body.error).toBe('RECURRING_ENDED');
    await runJob('2027-04-20T08:00Z');
    expect(await daysOf(shop)).toEqual(['2027-03-23']);
  });

  test('changes the rule: what is not created yet follows it, created shipments stay', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    await runJob('2027-03-01T08:01Z');
    const body = recurringRequest({ weekdays: [2, 4], timeSlot: '18h-20h', startsOn: '2027-03-01' });
    const changed = (await member.call('changeRecurring', { params: { id }, body })).body.recurring;
    expect(states(changed.upcoming).slice(0, 3)).toEqual([
      '2027-03-02 created',
      '2027-03-04 planned',
      '2027-03-09 planned',
    ]);
    await runJob('2027-03-02T08:02Z');
    const shipments = await shipmentsOf(shop);
    expect(shipments.map(({ day, at: startsAt }) => [day, startsAt.toISOString().slice(11, 16)])).toEqual([
      ['2027-03-02', '09:00'],
      ['2027-03-04', '17:00'],
    ]);
  });

  test('a change that commits while the job prepares is not overtaken by the old rule', async () => {
    const { shop, member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const id = await started(member, { startsOn: '2027-03-01' });
    const late = inserting(async (prepared, writer) => {
      await skip(member, id, '2027-03-02').catch(() => {});
      return writer.insertOne(prepared);
    });
    await createAnyDue(late, at);
    expect(await daysOf(shop)).toEqual([]);
    await runJob('2027-03-01T08:05Z');
    expect(await daysOf(shop)).toEqual([]);
  });

  test('a form that is sent twice creates one, also at the same moment', async () => {
    const { member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const sent = await Promise.all([1, 2, 3].map(() => create(member, {}, 'one-form')));
    expect(sent.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 201]);
    expect((await member.call('listRecurring')).body.recurring).toHaveLength(1);
  });

  test.each([
    ['UNKNOWN_SLOT', { timeSlot: 'matin' }],
    ['NO_OCCURRENCE', { endsOn: '2027-02-28' }],
    ['NO_OCCURRENCE', { startsOn: '2027-03-03', endsOn: '2027-03-05' }],
    ['NO_OCCURRENCE', { startsOn: '2027-03-05', endsOn: '2027-03-03' }],
  ])('%s: %j', async (slug, changes) => {
    const { member } = await newMember();
    setNow('2027-03-01T08:00Z');
    const { status, body } = await create(member, changes);
    expect([status, body.error]).toEqual([400, slug]);
  });

  test('a field of the shipment is checked like that of a creation', async () => {
    const { member } = await newMember();
    const shipment = shipmentRequest({ isCollection: true });
    const { status, body } = await create(member, { shipment });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toContain('collectionContact.email');
  });

  test('sees nothing of another account', async () => {
    const [mine, theirs] = [await newMember(), await newMember()];
    setNow('2027-03-01T08:00Z');
    const id = await started(mine.member, { startsOn: '2027-03-01' });
    expect((await theirs.member.call('listRecurring')).body.recurring).toEqual([]);
    const body = recurringRequest();
    const answers = [
      await theirs.member.call('readRecurring', { params: { id } }),
      await theirs.member.call('changeRecurring', { params: { id }, body }),
      await setState(theirs.member, id, 'ended'),
      await skip(theirs.member, id, '2027-03-02'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

test('the list reads nothing of the past, however long it is', async () => {
  const { shop, member } = await newMember();
  setNow('2027-03-01T08:00Z');
  const id = await started(member, { startsOn: '2027-03-01' });
  await sql`
    insert into recurring_occurrences (account_id, schedule_id, day, shipment_id)
    select ${shop.id}, ${id}, '2027-02-01'::date - n, gen_random_uuid() from generate_series(1, 5000) n`.execute(
    server.db,
  );
  await sql`analyze recurring_occurrences`.execute(server.db);
  const account = await context.creation.accounts.currentSettingsOf(shop.id);
  const { timeZone } = context;
  const read = await rowsRead(server.db, 'public.recurring_occurrences', async (db) => {
    expect(await listRecurring({ db, account, timeZone, now: at })).toHaveLength(1);
  });
  expect(read).toBeLessThan(20);
  await sql`delete from recurring_occurrences where schedule_id = ${id}`.execute(server.db);
});

test('no more than the limit are made, also at the same moment', async () => {
  const { shop, member } = await newMember();
  setNow('2027-03-01T08:00Z');
  await started(member);
  await sql`
    insert into recurring_schedules
    select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'creation_key', 'copy ' || n))).*
    from recurring_schedules s, generate_series(1, ${MAX_RECURRING - 3}) n where s.account_id = ${shop.id}`.execute(
    server.db,
  );
  const answers = await Promise.all([1, 2, 3, 4].map(() => create(member)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 409, 409]);
  await sql`delete from recurring_schedules where account_id = ${shop.id}`.execute(server.db);
});

test('the audit finds nothing', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
