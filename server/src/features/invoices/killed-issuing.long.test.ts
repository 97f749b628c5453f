import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { spawnNavette } from '../../../test/navette-process.ts';
import { expectInvoicesToBeTheLedger, seededRandom, writeRandomMonths } from '../../../test/random-months.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { issueAnyInvoices } from './issue-invoices.ts';

const ROUNDS = 2;
const KILLS = 3;
const ACCOUNTS = 12;
const ENTRIES = 1_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(INVOICING);
});
afterAll(() => server.stop());

test('kill -9 of `navette invoice issue` while entries are written loses no invoice, issues none twice and leaves no gap', async () => {
  const round = { until: '2026-10', now: new Date('2026-11-02T03:00:00Z') };
  let interrupted = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seededRandom(seed);
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, async () => (await server.createAccount()).id));
    const written = writeRandomMonths(server.db, accounts, { entries: ENTRIES, writers: 8, random });
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawnNavette(['invoice', 'issue', '--month', '2026-10'], server.environment);
      const ended = once(child, 'exit');
      const issued = () => server.db.selectFrom('invoices').select('number').limit(1).execute();
      while (child.exitCode === null && (await issued()).length === 0) await setTimeout(10);
      await setTimeout(random() * 400);
      if (child.kill('SIGKILL')) interrupted++;
      await ended;
    }
    await written;
    const pages = await Promise.all([1, 2, 3].map(() => issueAnyInvoices(server.db, createTestIssuer(), round)));
    expect(pages.flatMap(({ failures }) => failures)).toEqual([]);
    await expectInvoicesToBeTheLedger(server.db);
  }
  expect(interrupted).toBeGreaterThan(0);
});
