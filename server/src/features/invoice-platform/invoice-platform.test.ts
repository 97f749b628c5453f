import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeInvoicePlatform, startFakeInvoicePlatform } from '../../../test/fake-invoice-platform.ts';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { writeCharge, writeRefund } from '../../../test/write-ledger.ts';
import { createHttpsPlatform } from '../../adapters/invoice-platform/https-platform.ts';
import { closeMonths } from '../invoices/close-month.ts';
import { handOverInvoices } from './hand-over-invoices.handler.ts';
import { auditHandovers } from './index.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let platform: FakeInvoicePlatform;
let server: TestServer;
let accountId: string;
let owner: TestMember;
beforeAll(async () => {
  platform = await startFakeInvoicePlatform();
  server = await startTestServer({ ...INVOICING, ...platform.settings });
});
afterAll(async () => {
  await server.stop();
  await platform.stop();
});
beforeEach(async () => {
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
});
afterEach(async () => {
  platform.answerWith();
  // Each test is alone with its documents.
  await server.db.updateTable('invoice_handovers').set({ ask_at: null }).where('state', '=', 'handed_over').execute();
});

/** Issues an invoice of September, and with `isRefunded` a credit note on it. Returns their numbers. */
async function issue(isRefunded = false, settings: Record<string, string> = platform.settings): Promise<string[]> {
  const shipment = await writeCharge(server.db, accountId, 1_150, '2026-09-11T08:00:00Z');
  if (isRefunded) await writeRefund(server.db, accountId, shipment, 1_150, '2026-10-02T08:00:00Z');
  return closeMonths(server.db, createTestIssuer(settings), accountId, '2026-10', new Date());
}
const run = (at = Date.now() + 1_000) => {
  const client = createHttpsPlatform({ url: platform.url, token: platform.token, timeoutMs: 2_000 });
  return handOverInvoices({ db: server.db, platform: client, log: server.app.log }, new Date(at));
};
const shown = async (number: string) => {
  const { body } = await owner.call('listInvoices');
  const documents = body.months.flatMap((month: { documents: { number: string }[] }) => month.documents);
  return documents.find((each: { number: string }) => each.number === number).platform;
};
const rowOf = (number: string) =>
  server.db.selectFrom('invoice_handovers').selectAll().where('number', '=', number).executeTakeFirstOrThrow();

describe('an issued document', () => {
  test('is handed over once, with its Factur-X, also by workers that run at once', async () => {
    const numbers = await issue(true);
    expect(numbers.map((number) => number[0])).toEqual(['F', 'A']);
    expect(await shown(numbers[0] ?? '')).toEqual({ state: 'waiting', status: null, at: null });
    await Promise.all([run(), run(), run()]);
    await run();
    for (const number of numbers) {
      const { requests, pdf, kind } = platform.documents.get(number) ?? {};
      expect([requests, kind]).toEqual([1, number.startsWith('F') ? 'invoice' : 'credit_note']);
      expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf?.includes('factur-x.xml')).toBe(true);
      expect((await shown(number)).state).toBe('handed_over');
    }
  });

  test('waits while the platform is down, longer each time, and is never given up', async () => {
    const [number = ''] = await issue();
    platform.answerWith('down', 503, 429, 401);
    let at = Date.now() + 1_000;
    const pauses: number[] = [];
    for (let i = 0; i < 4; i++) {
      await run(at);
      const next = (await rowOf(number)).attempt_at?.getTime() ?? 0;
      pauses.push(Math.round((next - at) / MINUTE));
      at = next;
    }
    expect(pauses).toEqual([1, 2, 4, 8]);
    expect(await rowOf(number)).toMatchObject({ state: 'waiting', failure: 'http_401', attempts: 4 });
    await server.db.updateTable('invoice_handovers').set({ attempts: 500 }).where('number', '=', number).execute();
    platform.answerWith(500);
    await run(at);
    expect(((await rowOf(number)).attempt_at?.getTime() ?? 0) - at).toBe(6 * 60 * MINUTE);
    await run(at + DAY);
    expect(platform.documents.get(number)?.requests).toBe(1);
  });

  test('that the platform refuses does not hold up others, and is sent again by `navette invoice hand-over`', async () => {
    const [number = ''] = await issue();
    platform.answerWith(422);
    await run();
    expect(await rowOf(number)).toMatchObject({ state: 'failed', failure: 'http_422', attempt_at: null });
    expect(await shown(number)).toMatchObject({ state: 'failed' });
    const [other = ''] = await (async () => {
      accountId = (await server.createAccount()).id;
      return issue();
    })();
    await run();
    expect(platform.documents.has(other)).toBe(true);
    const again = () => runNavette(['invoice', 'hand-over', number], server.environment);
    expect((await again()).code).toBe(0);
    await run();
    expect((await shown(number)).state).toBe('handed_over');
    const refused = await again();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('handed over already')]);
    const { act } = await server.db
      .selectFrom('operator_acts')
      .select('act')
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(act).toBe('invoice.handed_over');
  });

  test('a request whose answer was lost is repeated, and finds the same document', async () => {
    const [number = ''] = await issue();
    platform.answerWith('accept-and-hold');
    await run(); // ends with the time limit
    expect(await rowOf(number)).toMatchObject({ state: 'waiting', failure: 'TimeoutError' });
    await run(Date.now() + 5 * MINUTE);
    expect([platform.documents.get(number)?.requests, (await shown(number)).state]).toEqual([2, 'handed_over']);
  });

  test('is handed to nobody without the settings', async () => {
    const [number = ''] = await issue(false, {});
    expect(await shown(number)).toBe(null);
    await handOverInvoices({ db: server.db, platform: null, log: server.app.log }, new Date());
    expect(platform.documents.has(number)).toBe(false);
  });
});

describe('statuses of the platform', () => {
  const at = (hour: number) => `2026-11-03T${String(hour).padStart(2, '0')}:00:00Z`;

  test('come doubled and in any order: the latest is shown to merchant and staff, and each is kept once', async () => {
    const [number = ''] = await issue();
    await run();
    await run();
    expect(await shown(number)).toMatchObject({ status: null });
    platform.report(number, { id: 's2', code: 205, at: at(9) }, { id: 's2', code: 205, at: at(9) });
    platform.report(number, { id: 's1', code: 200, at: at(8) });
    await run(Date.now() + 2 * 60 * MINUTE);
    expect(await shown(number)).toEqual({ state: 'handed_over', status: 'approved', at: '2026-11-03T09:00:00.000Z' });
    platform.report(number, { id: 's0', code: 299, at: at(7) });
    await run(Date.now() + 4 * 60 * MINUTE);
    expect((await shown(number)).status).toBe('approved');
    platform.report(number, { id: 's3', code: 212, at: at(10) });
    await run(Date.now() + 6 * 60 * MINUTE);
    const accountant = await createTestStaff(server, 'accountant');
    const { body } = await accountant.call('listConsoleInvoices', { query: { account: accountId } });
    expect(body.invoices).toMatchObject([{ number, platform: { status: 'paid' } }]);
    const kept = await server.db.selectFrom('invoice_statuses').select('code').where('number', '=', number).execute();
    expect(kept.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 205, 212, 299]);
    expect((await rowOf(number)).ask_at).toBe(null); // paid: nothing follows
  });

  test('an answer that cannot be read changes nothing, and is asked for again', async () => {
    const [number = ''] = await issue();
    await run();
    const wrong = [
      { id: 's', code: 999, at: at(8) },
      { id: 's', code: 200, at: 'soon' },
      { id: '', code: 200, at: at(8) },
    ];
    for (const [i, status] of wrong.entries()) {
      platform.report(number, status);
      const asked = platform.asked;
      await run(Date.now() + (2 + 2 * i) * 60 * MINUTE);
      expect(platform.asked).toBe(asked + 1);
      expect((await shown(number)).status).toBe(null);
      platform.documents.get(number)?.statuses.splice(0);
    }
    expect((await rowOf(number)).ask_at).not.toBe(null);
  });
});

test('after all of these every invariant of the audit holds, and a status without a hand-over is found', async () => {
  await server.db
    .updateTable('invoice_handovers')
    .set({ ask_at: new Date() })
    .where('state', '=', 'handed_over')
    .execute();
  const findings = await brokenInvariants(server);
  // The charges of this test have no shipment.
  expect(findings.filter(({ invariant }) => /document|invoice|numbers/.test(invariant))).toEqual([]);
  const [number = ''] = await issue();
  await server.db
    .insertInto('invoice_statuses')
    .values({ account_id: accountId, number, reference: 'x', code: 200, at: new Date(), received_at: new Date() })
    .execute();
  const broken = (await auditHandovers(server.db)).filter((finding) => finding.broken > 0);
  expect(broken.map(({ examples }) => examples)).toEqual([[number]]);
});
