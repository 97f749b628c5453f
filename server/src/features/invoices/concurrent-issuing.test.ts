import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestIssuer } from '../../../test/invoicing.ts';
import { expectInvoicesToBeTheLedger, seededRandom, writeRandomMonths } from '../../../test/random-months.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createDatabase, createPool, type Database } from '../../database/database.ts';
import { issueAnyInvoices } from './issue-invoices.ts';

const ACCOUNTS = 6;
const ENTRIES = 400;
const ISSUERS = 3;
const SEED = 20_261_117;

let server: TestServer;
let issuing: Database; // connections of their own, which the test ends in the middle of their transactions
beforeAll(async () => {
  server = await startTestServer();
  const url = new URL(server.config.databaseUrl);
  url.searchParams.set('application_name', 'issuers');
  const pool = createPool({ databaseUrl: url.href, size: ISSUERS, connectionTimeLimitMs: 60_000 });
  pool.on('error', () => {}); // an idle connection that the test ended
  issuing = createDatabase(pool);
});
afterAll(async () => {
  await issuing.destroy();
  await server.stop();
});

const issuer = createTestIssuer();
const round = { until: '2026-10', now: new Date('2026-11-02T03:00:00Z') };

/** Months are closed while entries are written, as if each moment were after the month's end. */
test('writers, issuers and broken connections at the same time: invoices are the ledger, numbers have no gap', async () => {
  const random = seededRandom(SEED);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, async () => (await server.createAccount()).id));
  let isWriting = true;
  let ended = 0;
  const written = writeRandomMonths(server.db, accounts, { entries: ENTRIES, writers: 4, random }).finally(() => {
    isWriting = false;
  });
  const issueAgain = async () => {
    while (isWriting) await issueAnyInvoices(issuing, issuer, round).catch(() => {});
  };
  const endConnections = async () => {
    while (isWriting) {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'issuers' and datname = current_database() and state <> 'idle'`.execute(server.db);
      ended += rows.length;
      await setTimeout(5 + random() * 20);
    }
  };
  await Promise.all([written, endConnections(), ...Array.from({ length: ISSUERS }, issueAgain)]);
  expect(ended).toBeGreaterThan(0);
  const pages = await Promise.all(Array.from({ length: ISSUERS }, () => issueAnyInvoices(server.db, issuer, round)));
  expect(pages.flatMap(({ failures }) => failures)).toEqual([]);
  expect((await issueAnyInvoices(server.db, issuer, round)).numbers).toEqual([]);
  await expectInvoicesToBeTheLedger(server.db);
});
