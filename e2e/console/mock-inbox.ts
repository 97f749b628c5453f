import type { InboxChange, InboxEntry } from '@navette/contract';
import type { Page, Route } from 'playwright-core';
import { SAMPLE_DRIVERS, sampleApprovals, sampleEntries } from './sample-inbox.ts';

const json = (route: Route, body: object, status = 200) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

export interface MockedInbox {
  /** The list of the next refresh. */
  entries: InboxEntry[];
  /** The next change is refused: somebody was first. */
  refuseNext: boolean;
}

/** The ways to sign in of a company with an identity provider. */
export async function mockProvider(page: Page): Promise<MockedInbox> {
  const ways = { success: true, password: true, singleSignOn: { name: 'Example Ltd' } };
  await page.route('**/console/api/sign-in-ways', (route) => json(route, ways));
  return { entries: [], refuseNext: false };
}

/** Responses for states that take long to produce with a real day: one entry of every kind, conflicts, entries that end. */
export async function mockInbox(page: Page): Promise<MockedInbox> {
  const now = new Date();
  const mocked: MockedInbox = { entries: sampleEntries(now), refuseNext: false };
  await page.route(/\/console\/api\/inbox(\?|$)/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [kind, state] = [searchParams.get('kind'), searchParams.get('state')];
    const live = mocked.entries.filter((entry) => entry.state === 'open' || entry.state === 'taken');
    const counts: Record<string, number> = {};
    for (const entry of live) counts[entry.kind] = (counts[entry.kind] ?? 0) + 1;
    const listed = state
      ? mocked.entries.filter((entry) => entry.state === (state === 'mine' ? 'taken' : state))
      : live;
    const entries = listed.filter((entry) => !kind || entry.kind === kind);
    const keys = entries.map(({ key }) => key);
    return json(route, { success: true, at: new Date().toISOString(), entries, keys, counts });
  });
  await page.route(/\/console\/api\/inbox\/.+/, (route) => {
    if (mocked.refuseNext) {
      mocked.refuseNext = false;
      const refusal = { by: 'Léa Morel', at: new Date().toISOString(), change: 'inbox.taken' };
      return json(route, { success: false, error: 'CHANGED_MEANWHILE', message: '', ...refusal }, 409);
    }
    const key = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    const { change, until } = route.request().postDataJSON() as InboxChange;
    const state = { take: 'taken', release: 'open', snooze: 'snoozed', resolve: 'resolved', reopen: 'open' } as const;
    mocked.entries = mocked.entries.map((entry) =>
      entry.key === key
        ? { ...entry, state: state[change], snoozedUntil: until ?? null, version: entry.version + 1 }
        : entry,
    );
    return json(route, { success: true, entry: mocked.entries.find((entry) => entry.key === key) });
  });
  await page.route(/\/console\/api\/shipments\/[^/]+\/drivers/, (route) => {
    const name = new URL(route.request().url()).searchParams.get('name')?.toLowerCase() ?? '';
    const drivers = SAMPLE_DRIVERS.filter((driver) => driver.name.toLowerCase().includes(name));
    const shipment = { id: 'x', reference: 'Q4T8R2VN6C', status: 'created', version: '1', driver: null };
    return json(route, { success: true, shipment, drivers });
  });
  await page.route(/\/console\/api\/approvals$/, (route) =>
    json(route, { success: true, approvals: sampleApprovals(now) }),
  );
  return mocked;
}
