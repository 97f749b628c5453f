import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Database } from '../../database/database.ts';
import { auditOperatorActs } from './audit-acts.ts';
import { hashOfAct, type NewOperatorAct, recordOperatorAct } from './operator-log.ts';
import { type ActRow, readActPages } from './read-acts.ts';

const NOW = new Date('2030-05-20T10:00:00.123Z');
const ENTRIES = 6;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const act = (number: number): NewOperatorAct => ({
  act: 'account.credited',
  subject: { type: 'account', id: `account ${number}`, title: 'Atelier Zoé' },
  reason: 'a transfer',
  details: { b: number, a: 'é', c: null, d: true, e: 0.1 },
});
const record = (number: number) =>
  db.transaction().execute((tx) => recordOperatorAct(tx, { kind: 'cli', name: 'zoe@desk' }, act(number), NOW));
async function readPages(pageSize?: number): Promise<ActRow[][]> {
  const pages: ActRow[][] = [];
  for await (const page of readActPages(db, {}, pageSize)) pages.push(page);
  return pages;
}
/** The audit of one part after the other, as the nightly job does, must find something exactly when that of all entries does. */
async function problems(): Promise<string[]> {
  const found = (await auditOperatorActs(db)).flatMap(({ examples }) => examples);
  const head = await db.selectFrom('operator_act_head').select('number').executeTakeFirst();
  let brokenParts = 0;
  for (let first = 1; first <= (head?.number ?? 1); first += 2)
    for (const { broken } of await auditOperatorActs(db, { first, last: first + 1 })) brokenParts += broken;
  expect(brokenParts > 0).toBe(found.length > 0);
  return found;
}
/** As somebody who may do everything in the database. */
const tamper = (statement: string) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table operator_acts disable trigger all`.execute(tx);
    await sql.raw(statement).execute(tx);
    await sql`alter table operator_acts enable trigger all`.execute(tx);
  });

beforeEach(async () => {
  await tamper('delete from operator_acts');
  await sql`update operator_act_head set number = 0, hash = decode(repeat('00', 32), 'hex')`.execute(db);
  for (let number = 1; number <= ENTRIES; number++) await record(number);
});

describe('the log of acts', () => {
  test('is numbered without gaps, and verified', async () => {
    const [page = []] = await readPages();
    expect(page.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await problems()).toEqual([]);
  });

  test('is verified across pages, by the rule that its export documents', async () => {
    const pages = await readPages(2);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    let previous: Buffer = Buffer.alloc(32);
    for (const entry of pages.flat()) {
      expect(hashOfAct(previous, entry)).toEqual(entry.hash);
      previous = entry.hash;
    }
  });

  test('keeps one order when many act at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => record(ENTRIES + 1 + i)));
    const pages = await readPages();
    expect(pages.flat()).toHaveLength(ENTRIES + 20);
    expect(await problems()).toEqual([]);
  });

  test('has no entry of an act that was rolled back', async () => {
    const work = db.transaction().execute(async (tx) => {
      await recordOperatorAct(tx, { kind: 'unknown' }, act(7), NOW);
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    await record(7);
    expect((await readPages()).flat().at(-1)).toMatchObject({ number: 7, actor: 'zoe@desk' });
    expect(await problems()).toEqual([]);
  });

  test.each(['update operator_acts set reason = null', 'delete from operator_acts', 'truncate operator_acts'])(
    'refuses: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
    },
  );
});

describe('the audit names', () => {
  test.each([
    ["reason = 'another'", 'reason'],
    ["actor = 'somebody'", 'actor'],
    ["act = 'account.closed'", 'act'],
    ["subject_id = 'account 4'", 'subject'],
    ['details = \'{"a": 1}\'', 'details'],
    ["at = at + interval '1 microsecond'", 'time'],
    ["hash = decode(repeat('00', 32), 'hex')", 'hash'],
  ])('an entry that was changed: %s', async (change) => {
    await tamper(`update operator_acts set ${change} where number = 3`);
    expect((await problems())[0]).toBe('entry 3 was changed, or entry 2 was replaced');
  });

  test('an entry that was replaced, with a hash that fits', async () => {
    const entries = (await readPages()).flat();
    const [second, third] = entries.slice(1);
    if (!second || !third) throw new Error('missing');
    const forged = hashOfAct(second.hash, { ...third, reason: 'another' }).toString('hex');
    await tamper(`update operator_acts set reason = 'another', hash = decode('${forged}', 'hex') where number = 3`);
    expect(await problems()).toEqual(['entry 4 was changed, or entry 3 was replaced']);
  });

  test('an entry that was removed', async () => {
    await tamper('delete from operator_acts where number = 3');
    expect(await problems()).toEqual(['entry 3 was removed']);
  });

  test('an entry that was removed at the end of a part', async () => {
    await tamper('delete from operator_acts where number = 2');
    expect(await auditOperatorActs(db, { first: 1, last: 2 })).toMatchObject([{ examples: ['entry 2 was removed'] }]);
  });

  test('entries that were removed at the beginning', async () => {
    await tamper('delete from operator_acts where number <= 2');
    expect(await problems()).toEqual(['entries 1 to 2 were removed']);
  });

  test('entries that were removed at the end', async () => {
    await tamper('delete from operator_acts where number >= 5');
    expect(await problems()).toEqual(['entries 5 to 6 were removed']);
  });

  test('all entries when the table was emptied', async () => {
    await tamper('delete from operator_acts');
    expect(await problems()).toEqual(['entries 1 to 6 were removed']);
  });

  test.each([
    [7, 'entry 7 was inserted: the log ends with entry 6'],
    [0, 'entry 0 was inserted: the first one is 1'],
  ])('an entry that was inserted as %i, with a hash that fits', async (number, problem) => {
    const last = (await readPages()).flat().at(-1);
    if (!last) throw new Error('missing');
    const forged = hashOfAct(last.hash, { ...last, number }).toString('hex');
    await tamper(`insert into operator_acts
      select ${number}, at, actor_kind, staff_id, actor, act, subject_type, subject_id, subject_title, reason, details,
        decode('${forged}', 'hex') from operator_acts where number = 6`);
    expect(await problems()).toEqual([problem]);
  });

  test('the last entry when it was replaced, with a hash that fits', async () => {
    const entries = (await readPages()).flat();
    const [fifth, sixth] = entries.slice(4);
    if (!fifth || !sixth) throw new Error('missing');
    const forged = hashOfAct(fifth.hash, { ...sixth, reason: 'another' }).toString('hex');
    await tamper(`update operator_acts set reason = 'another', hash = decode('${forged}', 'hex') where number = 6`);
    expect(await problems()).toEqual(['the last entry, 6, was replaced']);
  });
});
