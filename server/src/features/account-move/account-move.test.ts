import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestMember } from '../../../test/dashboard.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import {
  brokenForeignKeys,
  cancel,
  countRows,
  create,
  FILLED,
  leftovers,
  type MovedShop,
  type MovingCells,
  openMovedShop,
  requestFor,
  startMovingCells,
} from '../../../test/moving-cells.ts';
import { NO_DIRECTORY } from '../../../test/no-directory.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import type { TestAccount, TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { auditEverything } from '../../audit/audit-everything.ts';
import { LOCK_TIMEOUT_MS } from '../../database/give-way.ts';
import { JOBS } from '../../jobs/definitions.ts';
import { countFigures } from '../figures/count-figures.handler.ts';
import { signReference } from '../shipments/index.ts';
import { abandonMove, forgetAccount, INVENTORY, type MoveDirectory, type MoveProgress, moveAccount } from './index.ts';

let cells: MovingCells;
let receiver: WebhookReceiver;
beforeAll(async () => {
  cells = await startMovingCells();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await cells.stop();
  await receiver.stop();
});

test('every table of the schema is in the inventory', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`.execute(
    cells.source.db,
  );
  expect(Object.keys(INVENTORY).sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('the column of every guard is indexed by the replica identity of the table that follows', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c where c.relname = any(${Object.keys(INVENTORY)})
      and (c.relreplident = 'f' or exists (
        select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary and a.attname = 'account_id'))`.execute(cells.source.db);
  const fit = new Set(rows.map(({ name }) => name));
  const followed = Object.entries(INVENTORY).flatMap(([name, table]) =>
    'copied' in table && table.copied === 'follow' ? [name] : [],
  );
  expect(followed.filter((name) => !fit.has(name))).toEqual([]);
});

describe('a moved account', () => {
  let shop: MovedShop;
  let before: Record<string, number>;
  let broken: Set<string>; // by shipments that are filled in without a charge
  let steps: MoveProgress[];
  let confirmed: string[];
  let other: { written: number; failed: unknown[] };

  beforeAll(async () => {
    shop = await openMovedShop(cells, receiver);
    broken = new Set((await audit(cells.source)).map(({ invariant }) => invariant));
    const ids = [shop.account.id, shop.twin.id];
    const worker = await startTestWorker(cells.source);
    const writer = await writeAsAnother(cells);
    const confirming = createUntilRefused(cells, shop.account);
    steps = [];
    await moveAccount(requestFor(cells, shop.account.id, { onProgress: (progress) => steps.push(progress) }));
    other = await writer.stop();
    confirmed = await confirming;
    before = await countRows(cells.source.db, ids);
    await worker.stop();
  });

  test('has the same rows in the other cell', async () => {
    const ids = [shop.account.id, shop.twin.id];
    expect(before).toMatchObject({
      shipments: FILLED + 5 + confirmed.length,
      api_keys: 2,
      invoices: 3,
      members: 1,
      webhooks: 1,
    });
    expect(await countRows(cells.target.db, ids)).toEqual(before);
    expect(await brokenForeignKeys(cells.target.db)).toEqual([]);
  });

  test('has every shipment there that was confirmed until the freeze', async () => {
    expect(confirmed.length).toBeGreaterThan(5);
    const { rows } = await sql<{ id: string }>`
      select id from shipments where account_id = ${shop.account.id} and id = any(${confirmed})`.execute(
      cells.target.db,
    );
    expect(rows.length).toBe(confirmed.length);
  });

  test('breaks no invariant in either cell', async () => {
    expect((await audit(cells.target)).filter(({ invariant }) => !broken.has(invariant))).toEqual([]);
    expect((await audit(cells.source)).filter(({ invariant }) => !broken.has(invariant))).toEqual([]);
  });

  test('works there with its keys, sessions and idempotency keys, and continues its numbers', async () => {
    const { target } = cells;
    const list = await target.call(shop.account, 'GET', '/shipping', { query: { limit: '1' } });
    expect(list.status).toBe(200);
    const replay = await target.call(shop.account, 'POST', '/shipping', {
      body: shipmentRequest(),
      headers: { 'x-idempotency-key': `key of ${shop.account.id}` },
    });
    expect(replay.status).toBe(200);
    await create(target, shop.account);
    await create(target, shop.twin);
    const { rows } = await sql<{ number: number }>`
      select max(number) as number from shipments where account_id = ${shop.account.id}`.execute(target.db);
    expect(rows[0]?.number).toBe(FILLED + 5 + confirmed.length);
  });

  test('is refused in the cell that it left, with a time to try again', async () => {
    const { source } = cells;
    for (const [method, path] of [
      ['GET', '/shipping'],
      ['POST', '/shipping'],
      ['POST', '/rates'],
    ] as const) {
      const answer = await source.call(shop.account, method, path, method === 'POST' ? { body: {} } : {});
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect((await shop.member.call('readAccount')).status).toBe(503);
    await expect(
      sql`update shipments set notes = 'x' where account_id = ${shop.account.id}`.execute(source.db),
    ).rejects.toMatchObject({ code: 'NM001' });
  });

  test('has its waiting jobs there, and none here', async () => {
    const jobs = async (db: MovingCells['source']['db']) => {
      const { rows } = await sql<{ name: string; shipment: string }>`
        select name, data->>'shipmentId' as shipment from pgboss.job
        where state in ('created', 'retry') and data->>'accountId' = ${shop.account.id}`.execute(db);
      return rows;
    };
    expect(await jobs(cells.source.db)).toEqual([]);
    expect(await jobs(cells.target.db)).toContainEqual({ name: 'activate-shipment', shipment: shop.scheduled });
  });

  test('leaves guards in the old cell, and nothing else in either', async () => {
    expect(await leftovers(cells.target.db)).toEqual([]);
    expect((await leftovers(cells.source.db)).filter((name) => !/_[iud]$/.test(name))).toEqual([]);
  });

  test('has drivers of its past runs without their personal data', async () => {
    const { rows } = await sql<{ first_name: string; works_in: string; password_hash: string | null }>`
      select first_name, works_in, password_hash from drivers where id = ${shop.driver.id}`.execute(cells.target.db);
    expect(rows).toEqual([{ first_name: '(effacé)', works_in: 'paris', password_hash: null }]);
  });

  test('has links that lead from the old cell to the new one, also when it was forgotten there', async () => {
    const { source, target } = cells;
    const url = source.config.databaseDirectUrl;
    const { body } = await target.call(shop.account, 'GET', `/shipping/${shop.scheduled}`);
    const { referenceNumber, pdfUrl } = body.shipping;
    const page = `/t/${signReference(source.config.linkSecrets, 'track', referenceNumber)}`;
    const open = (path: string) => fetch(`${source.url}${path}`, { redirect: 'manual' });
    expect((await open(page)).status).toBe(308);
    await sql`insert into figures_pending (subject, account_id, id)
      values ('incident', ${shop.account.id}, gen_random_uuid())`.execute(source.db);
    await expect(forgetAccount({ name: 'paris', url }, shop.account.id, () => {})).rejects.toThrow(
      'not in the figures yet',
    );
    await countFigures(source.db, source.config.timeZone, new Date());
    await forgetAccount({ name: 'paris', url }, shop.account.id, () => {});
    for (const path of [page, pdfUrl]) {
      const moved = await open(path);
      expect([moved.status, moved.headers.get('location')]).toEqual([308, `${path}?cell=lyon`]);
      expect((await open(`${path}?cell=lyon`)).status).toBe(404); // no endless redirection without a router
      expect((await fetch(`${target.url}${path}`)).status).toBe(200);
    }
  });

  test('leaves its invoices in the cell that has forgotten it, and breaks no invariant there', async () => {
    const { db } = cells.source;
    expect(await countRows(db, [shop.account.id])).toEqual({ accounts: 1, billing_periods: 2, invoices: 3 });
    expect((await audit(cells.source)).filter(({ invariant }) => !broken.has(invariant))).toEqual([]);
    expect(await brokenForeignKeys(db)).toEqual([]);
  });

  test('disturbs no other account', async () => {
    expect(other.failed).toEqual([]);
    expect(other.written).toBeGreaterThan(5);
    expect(steps.map(({ step }) => step)).toContain('compare');
  });
});

describe('a move', () => {
  test('is refused while a driver has a shipment, and names it', async () => {
    const { source } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const { id: driverId } = await createTestDriver(source.db, { available: false });
    await moveShipment(source, account, await create(source, account), 'assign', { driverId });
    await expect(moveAccount(requestFor(cells, account.id))).rejects.toThrow(/assigned: 1 \([A-Z0-9]{10}\)/);
    expect(await readMoves(account.id)).toEqual([]);
  });

  test('is refused when the other cell has a value that must be unique, and names it', async () => {
    const account = await cells.source.createAccount();
    const email = 'twice@example.org';
    await createTestMember(cells.source, account.id, 'owner', { email });
    await createTestMember(cells.target, (await cells.target.createAccount()).id, 'owner', { email });
    await expect(moveAccount(requestFor(cells, account.id))).rejects.toThrow(
      `members: the target already has lower(email) ${email}`,
    );
    expect(await readMoves(account.id)).toEqual([]);
  });

  test('that fails at any step before the flip leaves both cells as before', async () => {
    const { source, target } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const twin = await createTwin(source, account);
    await fillShipments(source.db, account.id, 20);
    const ids = [account.id, twin.id];
    const before = await countRows(source.db, ids);
    const [guards] = [await leftovers(source.db)];
    for (const failing of ['copy', 'freeze', 'guard', 'catch-up', 'copy-rest', 'compare']) {
      const onProgress = ({ step }: MoveProgress) => {
        if (step === failing) throw new Error(`stopped at ${step}`);
      };
      await expect(moveAccount(requestFor(cells, account.id, { onProgress }))).rejects.toThrow(`stopped at ${failing}`);
      expect(await countRows(target.db, ids)).toEqual({});
      expect(await countRows(source.db, ids)).toEqual(before);
      expect(await leftovers(target.db)).toEqual([]);
      expect(await leftovers(source.db)).toEqual(guards);
      expect(await readMoves(account.id)).toEqual([]);
      expect((await source.call(account, 'GET', '/shipping')).status).toBe(200);
    }
  });

  test('waits for a long transaction of another database on the same server', async () => {
    const { source, target } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const moving = await target.db.transaction().execute(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx); // counts as a transaction that writes
      const move = moveAccount(requestFor(cells, account.id));
      await vi.waitFor(
        async () => {
          const { rows } = await sql<{ seconds: number }>`
            select extract(epoch from clock_timestamp() - query_start)::float8 as seconds from pg_stat_activity
            where datname = current_database() and application_name = 'navette-account-move'
              and query like '%pg_create_logical_replication_slot%'`.execute(source.db);
          expect(rows[0]?.seconds).toBeGreaterThan((LOCK_TIMEOUT_MS * 3) / 1000);
        },
        { timeout: 60_000, interval: 50 },
      );
      return { move };
    });
    await moving.move;
    expect((await target.call(account, 'GET', '/shipping')).status).toBe(200);
  });

  test('with `wait` begins after the last shipment of a driver has ended', async () => {
    const { source, target } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const { id: driverId } = await createTestDriver(source.db, { available: false });
    const shipment = await create(source, account);
    await moveShipment(source, account, shipment, 'assign', { driverId });
    const worker = await startTestWorker(source);
    const delivering: Promise<unknown>[] = [];
    const deliver = async () => {
      for (const step of ['pick_up', 'depart', 'deliver'] as const) await moveShipment(source, account, shipment, step);
    };
    const onProgress = ({ step }: MoveProgress) => {
      if (step === 'wait' && delivering.length === 0) delivering.push(deliver());
    };
    await moveAccount(requestFor(cells, account.id, { wait: true, onProgress }));
    await worker.stop();
    const { body } = await target.call(account, 'GET', `/shipping/${shipment}`);
    expect(body.shipping.status).toBe('delivered');
  });

  test('that could not be undone serves the account again at once, and is undone by the next command', async () => {
    const { source, target } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const abandon = vi.fn<MoveDirectory['abandon']>().mockRejectedValueOnce(new Error('the directory is down'));
    const onProgress = ({ step }: MoveProgress) => {
      if (step === 'compare') throw new Error('stopped');
    };
    const request = requestFor(cells, account.id, { onProgress, directory: { ...NO_DIRECTORY, abandon } });
    await expect(moveAccount(request)).rejects.toThrow(/stopped\nUndoing .* \(the directory is down\)/);
    expect(await readMoves(account.id)).toEqual([{ step: 'abandoning' }]);
    await vi.waitFor(async () => expect((await source.call(account, 'GET', '/shipping')).status).toBe(200));
    await abandonMove(request);
    expect(await readMoves(account.id)).toEqual([]);
    expect(await countRows(target.db, [account.id])).toEqual({});
    expect(await leftovers(target.db)).toEqual([]);
  });

  test('that fails after the flip is completed by the next run, and then forgotten', async () => {
    const { source, target } = cells;
    const account = await source.createAccount({ paymentMode: 'deferred' });
    const settle = vi
      .fn<MoveDirectory['settle']>()
      .mockRejectedValueOnce(new Error('the directory is down'))
      .mockResolvedValue(undefined);
    const request = requestFor(cells, account.id, { directory: { ...NO_DIRECTORY, settle } });
    const worker = await startTestWorker(source);
    await create(source, account);
    await workDone(source);
    await expect(moveAccount(request)).rejects.toThrow('the directory is down');
    expect((await target.call(account, 'GET', '/shipping')).status).toBe(200);
    await create(target, account);
    await moveAccount(request);
    expect(settle).toHaveBeenLastCalledWith(account.id, {
      cell: 'lyon',
      tokenHashes: [expect.stringMatching(/^[0-9a-f]{64}$/)],
      addressHashes: [],
    });
    expect((await countRows(target.db, [account.id])).shipments).toBe(2);
    await countFigures(source.db, source.config.timeZone, new Date());
    expect(await forgetAccount(request.source, account.id, () => {})).toBeGreaterThan(5);
    expect(await countRows(source.db, [account.id])).toEqual({ accounts: 1 });
    expect(await brokenForeignKeys(source.db)).toEqual([]);
    await worker.stop();
  });

  test('leaves rows that no scheduled job stumbles over', async () => {
    const { source } = cells;
    const shop = await openMovedShop(cells, receiver);
    await withWorker(source, () => moveAccount(requestFor(cells, shop.account.id)));
    const scheduled = JOBS.filter(({ schedule }) => schedule);
    const names = scheduled.map(({ name }) => name);
    const later = () => new Date(Date.now() + 500 * 86_400_000); // everything is due to be erased
    const worker = await startTestWorker(source, later, undefined, (name) => names.includes(name));
    await sql`delete from pgboss.job where name = any(${names})`.execute(source.db);
    await source.db.transaction().execute(async (tx) => {
      for (const job of scheduled) await source.jobs.send(tx, job, {});
    });
    const failed = await vi.waitFor(
      async () => {
        const { rows } = await sql<{ name: string; state: string; output: unknown }>`
          select name, state, output from pgboss.job where name = any(${names})`.execute(source.db);
        expect(new Set(rows.map(({ name }) => name)).size).toBe(names.length);
        expect(rows.filter(({ state }) => ['created', 'active'].includes(state))).toEqual([]);
        return rows.filter(({ state }) => state !== 'completed');
      },
      { timeout: 240_000, interval: 100 },
    );
    await worker.stop();
    expect(failed).toEqual([]);
  });
});

const audit = async ({ db, config }: TestServer) =>
  (await auditEverything(db, config)).filter(({ broken }) => broken > 0);

const readMoves = async (accountId: string) =>
  (await sql`select step from account_moves where account_id = ${accountId}`.execute(cells.source.db)).rows;

/** Two clients of the account create shipments until they get a 503. Returns those that were confirmed. */
async function createUntilRefused({ source }: MovingCells, account: TestAccount): Promise<string[]> {
  const client = async (made: string[]): Promise<string[]> => {
    for (;;) {
      const { status, body } = await source.call(account, 'POST', '/shipping', { body: shipmentRequest() });
      if (status === 503) return made;
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      made.push(body.shipping._id);
    }
  };
  return (await Promise.all([client([]), client([])])).flat();
}

/** Another account that creates and cancels shipments until it is stopped. */
async function writeAsAnother({ source }: MovingCells) {
  const account = await source.createAccount({ paymentMode: 'deferred' });
  const other = { written: 0, failed: [] as unknown[] };
  let isStopped = false;
  const writing = (async () => {
    while (!isStopped) {
      const made = await create(source, account).catch((error: unknown) => void other.failed.push(error));
      if (!made) continue;
      await cancel(source, account, made).then(
        () => other.written++,
        (error: unknown) => other.failed.push(error),
      );
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await writing;
      return other;
    },
  };
}
