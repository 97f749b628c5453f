import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import type { Database } from '../../database/database.ts';
import { updateAccount } from '../accounts/index.ts';
import { addCredit } from '../ledger/index.ts';
import { auditIdempotencyKeys, auditShipments } from './audit-shipments.ts';
import type { Trigger } from './lifecycle.ts';

const CHARGED = 'every shipment is charged once, its price';
const REFUNDED = 'a shipment is refunded, in full, exactly when it is cancelled';
const BACKED = 'nothing is charged or refunded without a shipment';
const CHAINED = 'ledger entries are numbered without gaps and each carries the balance after it';
const SUMMED = 'the balance is the sum of the ledger';
const NEVER_BELOW = 'a prepaid balance is never below zero';
const ANNOUNCED = 'every shipment has one shipping.created event';
const CANCELLED = 'a shipment has one shipping.cancelled event exactly when it is cancelled';
const NO_GHOST = 'no event without a shipment';
const FED = 'the positions of the event feed end at the account’s last one';
const LIVED = 'the status history follows the lifecycle and ends in the status';
const NUMBERED = 'shipments are numbered without gaps, in the order of creation';
const COUNTED = 'the counters agree with the shipments';
const DATED = 'the daily totals agree with the shipments';
const ARRIVED = 'the daily deliveries agree with the shipments';
const IN_ONE_PLACE = 'a shipment is archived or in its table, not both';
const FILED = 'every archived shipment is in a file, whose numbers follow those of the file before';
const KEYED = 'every idempotency key belongs to the shipment that carries it';

let server: TestServer;
let prepaid: TestAccount;
let deferred: TestAccount;
/** A shipment for each purpose, by the status it ended in. */
const shipments: Record<string, string> = {};
const key = randomUUIDv7();
const ghost = randomUUIDv7();

beforeAll(async () => {
  server = await startTestServer();
  prepaid = await server.createAccount();
  await addCredit(server.db, prepaid.id, 50_000, null);
  deferred = await server.createAccount({ paymentMode: 'deferred' });
  const lives: [TestAccount, string, Trigger[]][] = [
    [prepaid, 'created', []],
    [prepaid, 'cancelled', ['assign', 'cancel']],
    [deferred, 'delivered', ['assign', 'abandon', 'assign', 'pick_up', 'depart', 'deliver']],
    [deferred, 'picked_up', ['assign', 'assign', 'pick_up']],
  ];
  for (const [account, name, triggers] of lives) {
    const headers = { 'x-idempotency-key': name === 'created' ? key : randomUUIDv7() };
    const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest(), headers });
    shipments[name] = body.shipping._id;
    for (const trigger of triggers)
      await moveShipment(server, account, body.shipping._id, trigger, { driverId: ghost });
  }
  // Concurrent load around them: creations, batches, refusals, replays and cancellations.
  await crowd(
    8,
    Array.from({ length: 120 }, (_, i) => i),
    async (i) => {
      const account = i % 3 === 0 ? prepaid : deferred;
      const headers = i % 2 === 0 ? { 'x-idempotency-key': `busy-${i % 3}-${i % 40}` } : {};
      if (i % 10 === 9) {
        const shippings = [shipmentRequest(), {}, shipmentRequest({ scheduledDate: '2031-03-05', timeSlot: '8h-9h' })];
        await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
        return;
      }
      const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest(), headers });
      if (i % 4 === 0) await server.call(account, 'PUT', `/shipping/${body.shipping?._id}/cancel`);
    },
  );
});
afterAll(() => server.stop());

test('an account that moved from deferred to prepaid breaks nothing: each charge is checked with its own payment mode', async () => {
  const moved = await server.createAccount({ paymentMode: 'deferred' });
  const order = () => server.call(moved, 'POST', '/shipping', { body: shipmentRequest() });
  expect((await order()).status).toBe(201);
  await updateAccount(server.db, moved.id, { paymentMode: 'prepaid' }, { locate: async () => null });
  expect(await brokenInvariants(server)).toEqual([]);
  expect((await order()).body).toMatchObject({ error: 'INSUFFICIENT_BALANCE' });
  await addCredit(server.db, moved.id, 10_000, null);
  expect((await order()).status).toBe(201);
  expect(await brokenInvariants(server)).toEqual([]);
});

const audit = async (db: Database) => [
  ...(await auditShipments(db, server.config.timeZone)),
  ...(await auditIdempotencyKeys(db)),
];
const findAfter = (damage: RawBuilder<unknown>[]) => findAfterDamage(server, audit, damage);

const of = (name: string) => shipments[name] ?? '';
const chargeOf = async (name: string) =>
  server.db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('shipment_id', '=', of(name))
    .where('kind', '=', 'charge')
    .executeTakeFirstOrThrow();

describe('the audit', () => {
  test('finds nothing on a busy database, whose triggers guard the ledger', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
    const names = (await audit(server.db)).map(({ invariant }) => invariant);
    const tested = [CHARGED, REFUNDED, BACKED, CHAINED, SUMMED, NEVER_BELOW, ANNOUNCED, CANCELLED, IN_ONE_PLACE, FILED];
    expect(names.sort()).toEqual([...tested, NO_GHOST, FED, LIVED, NUMBERED, COUNTED, DATED, ARRIVED, KEYED].sort());
    await expect(sql`delete from ledger_entries`.execute(server.db)).rejects.toThrow('append-only');
    await expect(sql`update ledger_entries set amount_cents = 0`.execute(server.db)).rejects.toThrow('append-only');
    await expect(sql`truncate ledger_entries`.execute(server.db)).rejects.toThrow('append-only');
  });

  test('a price that is not what was charged', async () => {
    const found = await findAfter([
      sql`update shipments set price_cents = price_cents + 1 where id = ${of('created')}`,
    ]);
    expect(Object.keys(found).sort()).toEqual([CHARGED, COUNTED, DATED].sort());
    expect(found[CHARGED]).toEqual([of('created')]);
  });

  test('a missing charge', async () => {
    const { account_id, entry } = await chargeOf('delivered');
    const found = await findAfter([
      sql`delete from ledger_entries where account_id = ${account_id} and entry = ${entry}`,
    ]);
    expect(Object.keys(found).sort()).toEqual([CHARGED, CHAINED, SUMMED].sort());
    expect(found).toMatchObject({ [CHARGED]: [of('delivered')], [SUMMED]: [deferred.id] });
  });

  test('a charge for a shipment that does not exist', async () => {
    const found = await findAfter([
      sql`insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id)
          select account_id, last_entry + 1, 'charge', 0, balance_cents, ${ghost} from account_counters
          where account_id = ${prepaid.id}`,
      sql`update account_counters set last_entry = last_entry + 1 where account_id = ${prepaid.id}`,
    ]);
    expect(Object.keys(found)).toEqual([BACKED]);
    expect(found[BACKED]?.[0]).toMatch(new RegExp(`^${prepaid.id} entry \\d+$`));
  });

  test('a refund that is not in full', async () => {
    const found = await findAfter([
      sql`update ledger_entries set amount_cents = amount_cents - 1
          where shipment_id = ${of('cancelled')} and kind = 'refund'`,
    ]);
    expect(Object.keys(found).sort()).toEqual([REFUNDED, CHAINED, SUMMED].sort());
    expect(found[REFUNDED]).toEqual([of('cancelled')]);
  });

  test('a refund for a shipment that is not cancelled', async () => {
    const found = await findAfter([
      sql`insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id)
          select account_id, last_entry + 1, 'refund', 850, balance_cents + 850, ${of('created')} from account_counters
          where account_id = ${prepaid.id}`,
      sql`update account_counters set last_entry = last_entry + 1, balance_cents = balance_cents + 850
          where account_id = ${prepaid.id}`,
    ]);
    expect(found).toEqual({ [REFUNDED]: [of('created')] });
  });

  test('an entry with a wrong balance after it', async () => {
    const { account_id, entry } = await chargeOf('created');
    const found = await findAfter([
      sql`update ledger_entries set balance_after_cents = balance_after_cents + 1
          where account_id = ${account_id} and entry = ${entry}`,
    ]);
    expect(found).toEqual({ [CHAINED]: [`${account_id} entry ${entry}`] });
  });

  test.each(['balance_cents', 'last_entry'])('a balance that drifted from the ledger: %s', async (column) => {
    const found = await findAfter([
      sql`update account_counters set ${sql.ref(column)} = ${sql.ref(column)} + 1 where account_id = ${deferred.id}`,
    ]);
    expect(found).toEqual({ [SUMMED]: [deferred.id] });
  });

  test('a prepaid account that shipped on credit', async () => {
    const found = await findAfter([
      sql`update ledger_entries set balance_after_cents = balance_after_cents - 49999 where account_id = ${prepaid.id}`,
      sql`update ledger_entries set amount_cents = 1 where account_id = ${prepaid.id} and kind = 'credit'`,
      sql`update account_counters set balance_cents = balance_cents - 49999 where account_id = ${prepaid.id}`,
    ]);
    expect(Object.keys(found)).toEqual([NEVER_BELOW]);
    for (const example of found[NEVER_BELOW] ?? []) expect(example).toMatch(new RegExp(`^${prepaid.id} entry \\d+$`));
  });

  test('a prepaid account that shipped on credit, even if it is deferred by now', async () => {
    const found = await findAfter([
      sql`update ledger_entries set balance_after_cents = balance_after_cents - 49999 where account_id = ${prepaid.id}`,
      sql`update ledger_entries set amount_cents = 1 where account_id = ${prepaid.id} and kind = 'credit'`,
      sql`update account_counters set balance_cents = balance_cents - 49999 where account_id = ${prepaid.id}`,
      sql`update accounts set payment_mode = 'deferred' where id = ${prepaid.id}`,
    ]);
    expect(Object.keys(found)).toEqual([NEVER_BELOW]);
  });

  test('a creation without its event', async () => {
    const found = await findAfter([
      sql`delete from events where shipment_id = ${of('picked_up')} and type = 'shipping.created'`,
    ]);
    expect(found).toEqual({ [ANNOUNCED]: [of('picked_up')] });
  });

  test('a cancellation without its event, or an event without a cancellation', async () => {
    const forgotten = sql`delete from events where shipment_id = ${of('cancelled')} and type = 'shipping.cancelled'`;
    expect(await findAfter([forgotten])).toEqual({ [CANCELLED]: [of('cancelled')] });
    const invented = sql`update events set type = 'shipping.cancelled'
      where shipment_id = ${of('delivered')} and type = 'shipping.delivered'`;
    expect(await findAfter([invented])).toEqual({ [CANCELLED]: [of('delivered')] });
  });

  test('an event without a shipment', async () => {
    const found = await findAfter([
      sql`insert into events values (${prepaid.id}, ${ghost}, ${ghost}, 'shipping.assigned', '{}', now())`,
    ]);
    expect(found).toEqual({ [NO_GHOST]: [ghost] });
  });

  test('an event whose position in the feed will be given to another one', async () => {
    const { id } = await server.db
      .selectFrom('events')
      .select('id')
      .where('shipment_id', '=', of('created'))
      .executeTakeFirstOrThrow();
    const found = await findAfter([sql`update events set feed_position = 1000000 where id = ${id}`]);
    expect(found).toEqual({ [FED]: [id] });
  });

  const step = (status: string, at = '2026-03-02T08:00:00.000Z') => ({ status, at });
  test.each([
    ['empty', []],
    ['that skips a step', [step('created'), step('picked_up'), step('in_transit'), step('delivered')]],
    ['that starts in the middle', [step('assigned'), step('delivered')]],
    ['that goes on after its end', [step('created'), step('cancelled'), step('assigned'), step('delivered')]],
    ['that ends elsewhere', [step('created'), step('assigned')]],
    ['that runs backwards', [step('created'), step('assigned', '2026-03-01T08:00:00.000Z'), step('delivered')]],
  ])('a history %s', async (_name, history) => {
    const found = await findAfter([
      sql`update shipments set status_history = ${JSON.stringify(history)}::jsonb where id = ${of('delivered')}`,
    ]);
    expect(found).toEqual({ [LIVED]: [of('delivered')] });
  });

  test('a gap in the numbers, or an order that is not that of creation', async () => {
    const gap = await findAfter([
      sql`update shipments set number = number + 1000 where account_id = ${prepaid.id}
          and number = (select max(number) from shipments where account_id = ${prepaid.id})`,
    ]);
    expect(Object.keys(gap)).toEqual([NUMBERED]);
    expect(gap[NUMBERED]).toHaveLength(1);
    const order = await findAfter([
      sql`update shipments set created_at = created_at - interval '1 ms' * 60000 where account_id = ${prepaid.id} and number = 2`,
    ]);
    expect(order[NUMBERED]).toEqual([`${prepaid.id} number 2`]);
  });

  test.each(['created', 'delivered', 'cancelled', 'amount_cents', 'last_shipment'])(
    'a counter that drifted: %s',
    async (column) => {
      const found = await findAfter([
        sql`update account_counters set ${sql.ref(column)} = ${sql.ref(column)} + 1 where account_id = ${deferred.id}`,
      ]);
      expect(found).toEqual({ [COUNTED]: [deferred.id] });
    },
  );

  test.each([
    ['too large', sql`update daily_totals set shipments = shipments + 1`],
    ['of another amount', sql`update daily_totals set amount_cents = amount_cents - 1`],
    ['gone', sql`delete from daily_totals`],
  ])('a total of a day that is %s', async (_name, damage) => {
    const found = await findAfter([sql`${damage} where account_id = ${prepaid.id}`]);
    expect(Object.keys(found)).toEqual([DATED]);
    expect(found[DATED]?.[0]).toMatch(new RegExp(`^${prepaid.id} \\d{4}-\\d{2}-\\d{2}$`));
  });

  test('a daily total without shipments', async () => {
    const found = await findAfter([sql`insert into daily_totals values (${prepaid.id}, '2020-01-01', 1, 850)`]);
    expect(found).toEqual({ [DATED]: [`${prepaid.id} 2020-01-01`] });
  });

  test.each([
    ['too large', sql`update daily_deliveries set delivered = delivered + 1`],
    ['too late', sql`update daily_deliveries set on_time = 0`],
    ['gone', sql`delete from daily_deliveries`],
  ])('a count of deliveries that is %s', async (_name, damage) => {
    const found = await findAfter([damage]);
    expect(Object.keys(found)).toEqual([ARRIVED]);
    expect(found[ARRIVED]?.[0]).toMatch(new RegExp(`^${deferred.id} `));
  });

  test('a key that refers to another shipment, to none, or to one without that key', async () => {
    const elsewhere = sql`update idempotency_keys set shipment_id = ${of('cancelled')} where key = ${key}`;
    const nowhere = sql`update idempotency_keys set shipment_id = ${ghost} where key = ${key}`;
    const forgotten = sql`update shipments set metadata = '{}' where id = ${of('created')}`;
    for (const damage of [elsewhere, nowhere, forgotten]) expect(await findAfter([damage])).toEqual({ [KEYED]: [key] });
  });

  test('an archived shipment that is still in its table, and files with gaps or without their shipments', async () => {
    const copied = sql`
      insert into archived_shipments (account_id, number, id, reference_number, status, price_cents, driver_pay_cents, created_at)
      select account_id, number, id, reference_number, status, price_cents, 0, created_at
      from shipments where id = ${of('delivered')}`;
    expect(await findAfter([copied])).toMatchObject({
      [IN_ONE_PLACE]: [of('delivered')],
      [FILED]: [expect.anything()],
    });
    const file = (first: number, last: number) => sql`
      insert into archive_files values (${deferred.id}, ${last}, ${first}, 'file', '', now(), now())`;
    for (const [first, last] of [
      [1, 2], // without its shipments
      [2, 1], // not the first number
    ] as const) {
      expect(await findAfter([file(first, last)])).toEqual({ [FILED]: [`${deferred.id} number ${first}`] });
    }
  });

  test('metadata that looks like a key is no finding: merchants may send any metadata', async () => {
    const body = shipmentRequest({ metadata: { idempotencyKey: key } });
    expect((await server.call(deferred, 'POST', '/shipping', { body })).status).toBe(201);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('navette audit', () => {
  test('exits 0 and reports that nothing is broken, then 1 and names the invariant and the row', async () => {
    const good = await runNavette(['audit', '--json'], server.environment);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    for (const { broken, examples } of JSON.parse(good.stdout))
      expect({ broken, examples }).toEqual({ broken: 0, examples: [] });

    await server.db.updateTable('shipments').set({ status_history: '[]' }).where('id', '=', of('delivered')).execute();
    const bad = await runNavette(['audit'], server.environment);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain(LIVED);
    expect(bad.stdout).toContain(of('delivered'));
    expect(bad.stdout).not.toContain('Camille');
  });
});
