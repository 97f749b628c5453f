import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { type FakeEvent, type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { seededRandom } from '../../../test/random-months.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { writeCharge } from '../../../test/write-ledger.ts';
import { localDay, monthAfter } from '../../calendar/local-calendar.ts';
import { auditInvoices, auditSeries, issueAnyInvoices } from '../invoices/index.ts';
import { auditPayments } from './audit-payments.ts';

const FATES = ['card', 'debit', 'refused', 'expired', 'refunded', 'refund-failed', 'disputed', 'dispute-won'] as const;
const PAYMENTS = 8; // of each account

let stripe: FakeStripe;
let server: TestServer;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer({ ...INVOICING, ...stripe.settings });
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});

/** Every event of a payment with this fate, and what is left of it in cents. */
function live(sessionId: string, fate: (typeof FATES)[number], cents: number): { events: FakeEvent[]; left: number } {
  if (fate === 'expired') return { events: [stripe.expire(sessionId)], left: 0 };
  if (fate === 'debit' || fate === 'refused') {
    const succeeds = fate === 'debit';
    const events = [stripe.complete(sessionId, 'debit'), stripe.endDebit(sessionId, succeeds)];
    return { events, left: succeeds ? cents : 0 };
  }
  const paid = stripe.complete(sessionId, 'card');
  if (fate === 'card') return { events: [paid], left: cents };
  if (fate.startsWith('refund')) {
    const refund = stripe.reversal('refund', sessionId, 700, 'pending');
    const taken = ['refund.created', 'refund.updated'].map((type) => stripe.event(type, refund));
    if (fate === 'refunded') return { events: [paid, ...taken], left: cents - 700 };
    const failed = stripe.event('refund.failed', { ...refund, status: 'failed' });
    return { events: [paid, ...taken, failed], left: cents };
  }
  const dispute = stripe.reversal('dispute', sessionId, cents, 'needs_response');
  const taken = stripe.event('charge.dispute.funds_withdrawn', dispute);
  if (fate === 'disputed') return { events: [paid, taken], left: 0 };
  return { events: [paid, taken, stripe.event('charge.dispute.funds_reinstated', dispute)], left: cents };
}

test.each([1, 2, 3])(
  'events of any payments, in any order, twice and at once, beside charges and the issuing of invoices, leave the right balances (seed %d)',
  async (seed) => {
    const random = seededRandom(seed);
    const expected = new Map<string, number>();
    const works: (() => Promise<unknown>)[] = [];
    for (let account = 0; account < 3; account++) {
      const { id } = await server.createAccount();
      const owner = await createTestMember(server, id);
      expected.set(id, 0);
      const count = (cents: number) => expected.set(id, (expected.get(id) ?? 0) + cents);
      for (let i = 0; i < PAYMENTS; i++) {
        const amount = 10 + Math.floor(random() * 90);
        const requestId = randomUUID();
        await owner.call('startTopUp', { body: { amount, requestId } });
        const fate = FATES[Math.floor(random() * FATES.length)] as (typeof FATES)[number];
        const { events, left } = live(stripe.sessionsOf(requestId)[0]?.id ?? '', fate, amount * 100);
        count(left);
        for (const event of [...events, ...events]) works.push(async () => send(event));
        works.push(() => writeCharge(server.db, id, 100 + i, new Date().toISOString()));
        count(-100 - i);
      }
    }
    const issuer = createTestIssuer({ INVOICE_FIRST_MONTH: '2020-01' });
    const month = localDay(new Date(), 'Europe/Paris').slice(0, 7);
    const issue = (until: string) => issueAnyInvoices(server.db, issuer, { until, now: new Date() });
    for (let i = 0; i < 4; i++) works.push(() => issue(month));
    const shuffled = works.map((work) => ({ work, at: random() })).toSorted((a, b) => a.at - b.at);
    await crowd(8, shuffled, ({ work }) => work());
    const { failures } = await issue(monthAfter(month));
    expect(failures).toEqual([]);
    const balances = await server.db
      .selectFrom('account_counters')
      .select(['account_id', 'balance_cents'])
      .where('account_id', 'in', [...expected.keys()])
      .execute();
    expect(new Map(balances.map((row) => [row.account_id, row.balance_cents]))).toEqual(expected);
    // The charges of this test have no shipment, so the rest of the audit would complain.
    const findings = [
      ...(await auditPayments(server.db)),
      ...(await auditInvoices(server.db)),
      ...(await auditSeries(server.db)),
    ];
    expect(findings.filter(({ broken }) => broken > 0)).toEqual([]);
  },
);

async function send(event: FakeEvent): Promise<void> {
  const response = await stripe.send(server.url, event);
  expect(response.status).toBe(200);
}
