import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH, ENDPOINTS } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';

const MEGABYTE = 1_000_000;
const MOST_MEMORY_MB = 300; // of one account's large pages in a process, however many are asked for at once
const SLOW_MS = timeLimitMs(1_000); // far above what a read takes on a busy machine, far below waiting for sixty megabytes

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const createAccount = () => server.createAccount({ paymentMode: 'deferred' });
const list = async (account: TestAccount, query: Record<string, string>) => {
  const { status, body } = await server.call(account, 'GET', '/shipping', { query });
  expect(status).toBe(200);
  expect(faultsIn(ENDPOINTS.listShipments, 200, body)).toEqual([]);
  return body;
};
const numbersOf = async (account: TestAccount, shippings: { _id: string }[]) => {
  const rows = await server.db
    .selectFrom('shipments')
    .select(['id', 'number'])
    .where('account_id', '=', account.id)
    .execute();
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return shippings.map(({ _id }) => numbers.get(_id));
};
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('a page with documents from before metadata had a bound', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await createAccount();
    await fillShipments(server.db, account.id, 120, { notesLength: 100 });
    // Compressible and not, alone and side by side, at the start and at the end of pages; and pages beyond a megabyte.
    await sql`
      update shipments set metadata = json_build_object('n', number, 'text', case when number % 2 = 0
        then repeat('x', 200000) else (select string_agg(md5(random()::text), '') from generate_series(1, 3000)) end)
      where account_id = ${account.id} and number in (120, 119, 100, 90, 71, 70, 69, 21, 20, 1)`.execute(server.db);
    await sql`update shipments set notes = repeat('n', 60000) where account_id = ${account.id} and number between 30 and 60`.execute(
      server.db,
    );
    await sql`update shipments set status = 'cancelled', group_reference = 'G' where account_id = ${account.id} and number % 10 < 3`.execute(
      server.db,
    );
  });

  test('has every document once and in order, page by page and by cursor', async () => {
    for (const page of [1, 2, 3]) {
      const { shippings, pagination } = await list(account, { limit: '50', page: String(page) });
      const newest = 120 - (page - 1) * 50;
      expect(await numbersOf(account, shippings)).toEqual(range(newest, Math.max(1, newest - 49)));
      const { nextCursor, ...counts } = pagination;
      expect(counts).toEqual({ page, limit: 50, total: 120, totalPages: 3 });
      expect(nextCursor === null).toBe(page === 3);
    }
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { shippings, pagination } = await list(account, { limit: '100', ...(cursor ? { cursor } : {}) });
      seen.push(...(await numbersOf(account, shippings)));
      cursor = pagination.nextCursor;
    }
    expect(seen).toEqual(range(120, 1));
  });

  test('has those that a filter finds, also on a later page', async () => {
    const wanted = range(120, 1).filter((number) => number % 10 < 3);
    for (const query of [{ groupReference: 'G' }, { status: 'cancelled', groupReference: 'G' }]) {
      const first = await list(account, { ...query, limit: '20' });
      const second = await list(account, { ...query, limit: '20', page: '2' });
      expect(await numbersOf(account, [...first.shippings, ...second.shippings])).toEqual(wanted);
      expect(second.pagination.total).toBe(wanted.length);
    }
  });

  test('has the documents that are read one by one and exported, byte for byte', async () => {
    const headers = { authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId };
    const raw = async (path: string) => (await fetch(`${server.url}${BASE_PATH}${path}`, { headers })).text();
    const page = await raw('/shipping?limit=100');
    const { shippings } = JSON.parse(page) as { shippings: { _id: string }[] };
    for (const { _id } of [0, 1, 20, 50].map((i) => shippings[i] as { _id: string })) {
      const document = (await raw(`/shipping/${_id}`)).slice('{"success":true,"shipping":'.length, -1);
      expect(document.length).toBeGreaterThan(500);
      expect(page.includes(document)).toBe(true);
    }
    const exported = await raw('/shipping/labels');
    expect(exported.startsWith(page.slice(0, page.lastIndexOf('],"pagination"')))).toBe(true);
  });
});

describe('sixty documents of a megabyte', () => {
  let api: NavetteProcess;
  let heavy: TestAccount;
  let otherTenant: TestAccount;
  beforeAll(async () => {
    [heavy, otherTenant] = [await createAccount(), await createAccount()];
    await fillShipments(server.db, heavy.id, 60, { metadataBytes: MEGABYTE });
    await fillShipments(server.db, otherTenant.id, 100);
    api = await startNavette(['api'], server.environment);
  });
  afterAll(() => api.stop());

  const call = ({ key, clientId }: TestAccount, path: string) =>
    fetch(`${api.url}${BASE_PATH}${path}`, { headers: { authorization: `Bearer ${key}`, 'x-client-id': clientId } });
  const sizeOf = async (answer: Response) => {
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).length;
    return bytes;
  };
  const residentMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${api.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

  test('listed ten times at once use bounded memory and do not delay another tenant', async () => {
    for (let i = 0; i < 20; i++) await (await call(otherTenant, '/shipping?limit=100')).text();
    const before = residentMb();
    let [peak, isDone] = [before, false];
    const watching = (async () => {
      for (; !isDone; await setTimeout(10)) peak = Math.max(peak, residentMb());
    })();
    const waits: number[] = [];
    const reading = (async () => {
      while (!isDone) {
        const began = performance.now();
        await (await call(otherTenant, '/shipping?limit=50')).text();
        waits.push(performance.now() - began);
      }
    })();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const answer = await call(heavy, '/shipping?limit=100');
        return { status: answer.status, isWhole: (await sizeOf(answer)) > 60 * MEGABYTE };
      }),
    );
    isDone = true;
    await Promise.all([watching, reading]);
    expect(answers).toEqual(Array(10).fill({ status: 200, isWhole: true }));
    expect(peak - before).toBeLessThan(MOST_MEMORY_MB);
    const p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)];
    expect(p95).toBeLessThan(SLOW_MS);
  });
});
