import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findAfterDamage } from '../../test/damage.ts';
import { fillTables, idOf } from '../../test/fill-tables.ts';
import { rowsRead } from '../../test/rows-read.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import type { Database } from '../database/database.ts';
import { auditAccounts } from './audit-everything.ts';
import { auditNight, NIGHT_MS } from './audit-night.ts';
import { readLatestAudits, readOldestTurn } from './latest-audits.ts';
import { runAudit } from './run-audit.ts';
import { AUDIT_SOME } from './subjects.ts';
import { AUDITS_END, beginTurns, listTurns } from './turns.ts';

const SUMMED = 'the balance is the sum of the ledger';
const NOTHING = { brokenRows: 0, brokenInvariants: [] };

let server: TestServer;
const shops: TestAccount[] = [];
let shipment: string;
beforeAll(async () => {
  server = await startTestServer();
  for (let i = 0; i < 5; i++) {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    shipment = body.shipping._id;
    shops.push(shop);
  }
});
afterAll(() => server.stop());

const idAt = (index: number) => shops[index]?.id ?? '';
const last = () => idAt(shops.length - 1);

/** A clock that advances whenever it is read. */
function steps(by: number): () => number {
  let ms = 0;
  return () => {
    ms += by;
    return ms;
  };
}

/** A night with time for some turns; each turn is one subject. */
function night(turns: number) {
  return auditNight({
    db: server.db,
    settings: server.config,
    clock: steps(NIGHT_MS / (turns + 0.5)),
    chunkSubjects: 1,
  });
}

/** A night during which the damage exists. */
async function nightDuring(damage: () => Promise<unknown>, repair: () => Promise<unknown>) {
  await damage();
  try {
    return await auditNight({ db: server.db, settings: server.config });
  } finally {
    await repair();
  }
}

const nightWithout = (table: string) =>
  nightDuring(
    () => sql`alter table ${sql.table(table)} rename to hidden`.execute(server.db),
    () => sql`alter table hidden rename to ${sql.table(table)}`.execute(server.db),
  );

const drift = (accountId: string, cents: number) =>
  sql`update account_counters set balance_cents = balance_cents + ${cents} where account_id = ${accountId}`.execute(
    server.db,
  );
const latest = async () => {
  const [run] = await readLatestAudits(server.db, 1);
  return { brokenRows: run?.brokenRows, brokenInvariants: run?.brokenInvariants };
};
const orderOfAccounts = async () =>
  (await listTurns(server.db)).filter(({ kind }) => kind === 'account').map(({ subject }) => subject);
const oldest = async () => (await readOldestTurn(server.db))?.getTime() ?? Number.NaN;
const lateAccounts = async () =>
  (
    await sql<{ subject: string }>`
      select subject from audit_turns where kind = 'account' and audited_at is null`.execute(server.db)
  ).rows.map(({ subject }) => subject);

describe('a night', () => {
  beforeEach(async () => {
    await sql`truncate audit_turns, audit_runs`.execute(server.db);
  });

  test('ends when its time is up, and the next ones go on until each subject had its turn', async () => {
    const subjects = (await listTurns(server.db)).length;
    expect(subjects).toBe(shops.length + 2); // a part of the keys and one of the acts
    expect((await night(3)).audited).toBe(3);
    expect(await lateAccounts()).toHaveLength(shops.length - 1); // of new subjects, accounts come last
    expect(await lateAccounts()).toContain((await orderOfAccounts())[0]);
    expect((await night(3)).audited).toBe(3);
    expect(await lateAccounts()).toHaveLength(shops.length - 4);
    expect((await night(3)).audited).toBe(3);
    expect(await lateAccounts()).toEqual([]);
    expect((await night(subjects + 5)).audited).toBe(subjects); // none has two
  });

  test('has time for many accounts in one chunk', async () => {
    const clock = steps(NIGHT_MS / 4); // time for three chunks
    expect((await auditNight({ db: server.db, settings: server.config, clock })).audited).toBe(shops.length + 2);
  });

  test('that was interrupted does not keep any account from its turn', async () => {
    let ms = 0;
    const clock = () => {
      ms += 1;
      if (ms > 6) throw new Error('killed');
      return ms;
    };
    const work = auditNight({ db: server.db, settings: server.config, clock, chunkSubjects: 1 });
    await expect(work).rejects.toThrow('killed');
    expect(await lateAccounts()).toHaveLength(shops.length - 2);
    await night(3);
    expect(await lateAccounts()).toEqual([]);
  });

  test('tells since when the subject that waits longest was not audited; a full audit is one of each', async () => {
    expect(await readOldestTurn(server.db)).toBeNull();
    await listTurns(server.db);
    await sql`update audit_turns set audited_at = now() - interval '3 days'`.execute(server.db);
    await sql`update audit_turns set audited_at = now() - interval '9 days' where subject = ${last()}`.execute(
      server.db,
    );
    expect(Date.now() - (await oldest())).toBeGreaterThan(8 * 86_400_000);
    await runAudit(server.db, server.config);
    expect(Date.now() - (await oldest())).toBeLessThan(3_600_000);
  });

  test('audits alone what was interrupted, after the others', async () => {
    const [first = '', second = ''] = await orderOfAccounts();
    await beginTurns(server.db, 'account', [first, second]); // and the process ended
    const after = await listTurns(server.db);
    expect(after.slice(-2)).toMatchObject([
      { subject: first, wasInterrupted: true },
      { subject: second, wasInterrupted: true },
    ]);
    await auditNight({ db: server.db, settings: server.config });
    expect((await listTurns(server.db)).filter(({ wasInterrupted }) => wasInterrupted)).toEqual([]);
  });

  test('goes on after audits that fail, names each, and reports them until they end', async () => {
    const { audited, failures } = await nightWithout('recurring_exceptions');
    expect(audited).toBe(2);
    expect(failures).toHaveLength(shops.length);
    expect(failures[0]).toMatchObject({
      kind: 'account',
      error: { message: expect.stringContaining('recurring_exceptions') },
    });
    const reported = { brokenRows: shops.length, brokenInvariants: [AUDITS_END] };
    expect(await latest()).toEqual(reported);
    await night(0);
    expect(await latest()).toEqual(reported);
    await night(20);
    expect(await latest()).toEqual(NOTHING);
  });

  test('audits the others of a chunk alone when it fails, and the subject whose audit fails comes last', async () => {
    const failing = idAt(1);
    const setTime = (from: string, to: string) =>
      sql`update shipments set status_history = replace(status_history::text, ${from}, ${to})::jsonb
          where account_id = ${failing}`.execute(server.db);
    const wrong = '"at": "no time", "was"';
    const { audited, failures } = await nightDuring(
      () => setTime('"at"', wrong),
      () => setTime(wrong, '"at"'),
    );
    expect([audited, failures.map(({ subject }) => subject)]).toEqual([shops.length + 1, [failing]]);
    expect(await lateAccounts()).toEqual([failing]);
    const [last] = (await listTurns(server.db)).slice(-1);
    expect(last).toMatchObject({ wasInterrupted: true, isBroken: true });
    expect((await night(shops.length + 1)).audited).toBe(shops.length + 1);
    expect(await lateAccounts()).toEqual([failing]); // it was not repeated before the others
  });

  test('that cannot audit the installation audits the others, and says so', async () => {
    const { audited, failures } = await nightWithout('figures');
    expect([audited, failures]).toMatchObject([shops.length + 2, [{ kind: 'installation' }]]);
    expect(await latest()).toEqual({ brokenRows: 1, brokenInvariants: [AUDITS_END] });
  });
});

describe('a violation', () => {
  beforeEach(async () => {
    await sql`truncate audit_turns, audit_runs`.execute(server.db);
  });

  test('is found when its account has its turn, and reported until it is repaired', async () => {
    const broken = (await orderOfAccounts()).at(-1) ?? '';
    await drift(broken, 1);
    await night(shops.length + 1);
    expect(await latest()).toEqual(NOTHING);
    expect((await night(1)).findings.filter((finding) => finding.broken > 0)).toMatchObject([{ invariant: SUMMED }]);
    const reported = { brokenRows: 1, brokenInvariants: [SUMMED] };
    for (let i = 0; i < 3; i++) {
      expect(await latest()).toEqual(reported);
      await night(2);
    }
    await night(0); // without any turn
    expect(await latest()).toEqual(reported);
    await drift(broken, -1);
    await night(1);
    expect(await latest()).toEqual(NOTHING);
  });

  test('names its account, also in a chunk of many', async () => {
    await drift(last(), 1);
    await auditNight({ db: server.db, settings: server.config });
    const outcomes = await server.db
      .selectFrom('audit_turns')
      .select(['kind', 'subject', 'broken_rows as rows', 'broken_invariants as invariants'])
      .where('broken_rows', '>', 0)
      .execute();
    expect(outcomes).toEqual([{ kind: 'account', subject: last(), rows: 1, invariants: [SUMMED] }]);
    await drift(last(), -1);
  });

  test('that was repaired is no longer reported after a full audit', async () => {
    await drift(last(), 1);
    await auditNight({ db: server.db, settings: server.config });
    await drift(last(), -1);
    await runAudit(server.db, server.config);
    expect(await latest()).toEqual(NOTHING);
    await night(0);
    expect(await latest()).toEqual(NOTHING);
  });

  test('is found by a full audit where nothing can be written, as on a standby', async () => {
    await drift(last(), 1);
    const findings = await server.db.connection().execute(async (connection) => {
      await sql`set default_transaction_read_only = on`.execute(connection);
      try {
        return await runAudit(connection, server.config);
      } finally {
        await sql`reset default_transaction_read_only`.execute(connection);
      }
    });
    await drift(last(), -1);
    expect(findings.filter(({ broken }) => broken > 0)).toMatchObject([{ invariant: SUMMED, examples: [last()] }]);
    expect(await readLatestAudits(server.db, 1)).toEqual([]);
  });

  test.each([
    ['a full audit', () => runAudit(server.db, server.config)],
    [
      'a worker of the release before',
      () =>
        sql`insert into audit_runs (finished_at, seconds, broken_rows, broken_invariants)
            values (clock_timestamp(), 0, 1, ${[SUMMED]})`.execute(server.db),
    ],
  ])('that %s found is reported until every subject has been audited since', async (_by, find) => {
    const broken = (await orderOfAccounts()).at(-1) ?? '';
    await drift(broken, 1);
    await find();
    const reported = { brokenRows: 1, brokenInvariants: [SUMMED] };
    await night(2);
    expect(await latest()).toEqual(reported);
    await night(20);
    expect(await latest()).toEqual(reported); // its account had its turn
    await drift(broken, -1);
    await night(20);
    expect(await latest()).toEqual(NOTHING);
  });
});

describe('an audit of the rows of one account', () => {
  const accountsAudit = (db: Database) => auditAccounts(db, server.config, new Date());
  const someId = randomUUIDv7();
  const cases: [string, string, () => RawBuilder<unknown>][] = [
    [
      'incidents',
      'an incident belongs to a shipment',
      () => sql`insert into incidents (account_id, id, shipment_id, driver_id, kind, happened_at, received_at)
                values (${last()}, ${someId}, ${someId}, ${someId}, 'absent', now(), now())`,
    ],
    [
      'payments',
      'each movement of a payment is a credit of the ledger, of the same account and amount',
      () => sql`
        with payment as (insert into payments (id, account_id, method, status, amount_cents, created_at, updated_at)
          values (${someId}, ${idAt(0)}, 'checkout', 'open', 1, now(), now()))
        insert into payment_movements (payment_id, reference, kind, account_id, entry, amount_cents, at)
        values (${someId}, 'refund:1', 'refund', ${last()}, 1, -1, now())`, // of another account
    ],
    [
      'webhooks',
      'a settled delivery has a log entry for every attempt',
      () => sql`insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
                values (${last()}, ${someId}, ${someId}, 'cancelled', 1, 1, now() - interval '1 hour')`,
    ],
    [
      'recurring shipments',
      'every created occurrence has one shipment, of its day and of this origin',
      () => sql`insert into recurring_occurrences values (${last()}, ${someId}, '2031-01-01', ${shipment})`,
    ],
    [
      'documents at the platform',
      'only documents that were handed over have a status',
      () => sql`
        with handover as (insert into invoice_handovers (account_id, number, state, attempts, created_at)
          values (${last()}, 'F1', 'failed', 1, now()))
        insert into invoice_statuses values (${last()}, 'F1', 'r', 200, now(), now())`,
    ],
  ];
  test.each(cases)('finds what the full audit finds: %s', async (_area, invariant, damage) => {
    expect(Object.keys(await findAfterDamage(server, accountsAudit, [damage()]))).toContain(invariant);
  });

  test('reads rows of this account only', async () => {
    const database = await createTestDatabase();
    const { db } = database;
    try {
      await fillTables(db); // 60,000 rows in a table
      await sql`update webhooks set is_active = false`.execute(db); // no account has as many for each event
      const audit = (tx: Database) => AUDIT_SOME.account(tx, [idOf(8)], server.config, new Date());
      const read = await rowsRead(db, '%', audit);
      expect(read).toBeGreaterThan(12_000); // 1,200 of each table, many times
      expect(read).toBeLessThan(80_000); // a scan of one table would add 58,800
    } finally {
      await database.drop();
    }
  });
});
