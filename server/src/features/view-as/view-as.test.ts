import {
  CSRF_HEADER,
  DASHBOARD_ENDPOINTS,
  DASHBOARD_ROUTES,
  type DashboardEndpointName,
  dashboardRoute,
  SERVED_IN_VIEW,
  type StaffRole,
} from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fittingBodies } from '../../../test/attacks/generate.ts';
import { type Operation, readOperations } from '../../../test/attacks/operations.ts';
import {
  changedTables,
  createTenant,
  idsOf,
  snapshot,
  startAttackedServer,
  type Tenant,
} from '../../../test/attacks/tenant.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { cookieOf, dashboardCaller } from '../../../test/dashboard.ts';
import type { TestServer } from '../../../test/test-server.ts';
import { closeAccount } from '../accounts/index.ts';

const names = Object.keys(DASHBOARD_ROUTES) as DashboardEndpointName[];
const guarded = names.filter((name) => DASHBOARD_ENDPOINTS[name].needs !== null);
const isRead = (name: DashboardEndpointName) => dashboardRoute(name).method === 'GET';
const REASON = 'Appel 4312 : webhook en pause';
const MINUTE = 60_000;

let server: TestServer;
let tenant: Tenant;
let operations: Operation[];
let ids: string[];
beforeAll(async () => {
  server = await startAttackedServer();
  tenant = await createTenant(server, 'tenant');
  const url = 'https://shop.example.org/hook?token=merchant-secret';
  const body = { url, events: ['shipping.created'] };
  const created = await tenant.owners[0]?.call('createWebhook', { body });
  if (created?.status !== 201) throw new Error('no webhook');
  operations = await readOperations(server.url);
  ids = await idsOf(server, tenant);
});
afterAll(() => server.stop());

/** A view of the account, as the browser of the staff member has it. */
async function view(staff: TestStaff, accountId = tenant.account.id) {
  const started = await staff.call('viewAsMerchant', { params: { id: accountId }, body: { reason: REASON } });
  expect(started.status).toBe(201);
  const cookie = cookieOf(started.headers);
  const session = await dashboardCaller(server.url, { cookie })('readSession');
  const csrfToken = String(session.body.csrfToken);
  return { cookie, session, call: dashboardCaller(server.url, { cookie, csrfToken }) };
}
const support = () => createTestStaff(server, 'support', { name: 'Zoé Martin' });
const statusOf = async ({ call }: Awaited<ReturnType<typeof view>>) => (await call('readAccount')).status;

/** Requests with every id of the merchant, so that none is refused for lack of a target. */
function requestsOf(name: DashboardEndpointName) {
  const { method, path } = dashboardRoute(name);
  const documented = path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = operations.find((o) => o.api === 'dashboard' && o.method === method && o.path.endsWith(documented));
  if (!operation) throw new Error(`${name} is not documented`);
  const body = method === 'GET' ? {} : { body: fittingBodies(operation, 1)[0] };
  const headers = { 'x-idempotency-key': 'a view creates nothing' };
  const targets = path.includes(':') ? ids : [''];
  return targets.map((id) => ({ ...body, headers, params: new Proxy({}, { get: () => id }) as never }));
}

describe('the operations that a view may call', () => {
  test('are all reads but ten, and no others than reads and two computations', () => {
    expect(names.filter((name) => isRead(name) && !SERVED_IN_VIEW.has(name))).toEqual([
      'listSessions',
      'listPasskeys',
      'listNotifications',
      'readNotificationChoices',
      'exportShipments',
      'listSavedViews',
      'listAddresses',
      'suggestAddresses',
      'readWebhookSecret',
      'readWebhookDelivery',
    ]);
    expect(names.filter((name) => !isRead(name) && SERVED_IN_VIEW.has(name))).toEqual([
      'endView',
      'quoteShipment',
      'printLabels',
    ]);
  });

  test('every other operation is refused, with every id of the merchant, and nothing changes', async () => {
    const { call } = await view(await support());
    const before = await snapshot(server);
    const refused = guarded.filter((name) => !SERVED_IN_VIEW.has(name));
    expect(refused.length).toBeGreaterThan(25);
    for (const name of refused) {
      for (const request of requestsOf(name)) {
        const { status, body } = await call(name, request);
        expect([name, status, body.error]).toEqual([name, 403, 'VIEW_IS_READ_ONLY']);
      }
    }
    expect(changedTables(before, await snapshot(server))).toEqual([]);
  });

  test('every read works, changes nothing and shows no secret', async () => {
    const viewing = await view(await support());
    const before = await snapshot(server);
    const working = new Set<DashboardEndpointName>();
    let all = '';
    for (const name of SERVED_IN_VIEW) {
      if (name === 'endView') continue;
      for (const request of requestsOf(name)) {
        const { status, body } = await viewing.call(name, request);
        expect([401, 403, 500]).not.toContain(status);
        if (status === 200) working.add(name);
        all += JSON.stringify(body);
      }
    }
    const shipments = await shipmentIds();
    const precise = {
      printLabels: await viewing.call('printLabels', { body: { ids: shipments } }),
      readStatuses: await viewing.call('readStatuses', { query: { ids: shipments.join(',') } }),
    };
    expect(precise).toMatchObject({ printLabels: { status: 200 }, readStatuses: { status: 200 } });
    for (const name of Object.keys(precise)) working.add(name as DashboardEndpointName);
    expect(names.filter((name) => SERVED_IN_VIEW.has(name) && !working.has(name))).toEqual([
      'endView',
      'readProof', // this merchant has none
      'readInvoicePdf', // and no closed month
      'readStatementPdf',
      'exportStatement',
    ]);
    expect(changedTables(before, await snapshot(server))).toEqual([]);
    const ofOwner = await tenant.owners[0]?.call('listTeam'); // first: it may note that the owner was seen
    expect((await viewing.call('listTeam')).body).toEqual(ofOwner?.body);
    expect(all).toContain('https://shop.example.org/hook');
    expect(all).not.toContain('merchant-secret');
    expect(all).not.toContain(tenant.account.key);
    expect(all).not.toContain('whsec_');
  });

  test('a view sees nothing of another merchant', async () => {
    const other = await server.createAccount();
    const { call } = await view(await support(), other.id);
    for (const id of await shipmentIds())
      expect(await call('readShipment', { params: { id } })).toMatchObject({ status: 404 });
    expect((await call('listShipments')).body.shipments).toEqual([]);
  });
});

const shipmentIds = async () => {
  const rows = await server.db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', tenant.account.id)
    .execute();
  return rows.map(({ id }) => id);
};

describe('a view', () => {
  test('names person and reason in its session, in the log of acts and in the merchant’s security log', async () => {
    const staff = await support();
    const { session, call } = await view(staff);
    expect(session.body).toMatchObject({
      member: { name: 'Zoé Martin' },
      account: { id: tenant.account.id },
      view: { by: 'Zoé Martin', reason: REASON },
    });
    const { body } = (await tenant.owners[0]?.call('listActs')) ?? {};
    expect(body.acts[0]).toMatchObject({
      act: 'dashboard-viewed',
      actor: { kind: 'operator', name: 'Zoé Martin', email: null, id: null },
      subject: REASON,
    });
    expect(await call('endView')).toMatchObject({ status: 200 });
    const admin = await createTestStaff(server);
    const { body: log } = await admin.call('listOperatorActs', { query: { staffId: staff.id } });
    expect(log.acts).toMatchObject([
      { act: 'account.view_ended', subject: { id: tenant.account.id } },
      { act: 'account.viewed', subject: { id: tenant.account.id }, reason: REASON },
    ]);
  });

  test('ends by its button, and the cookie with it', async () => {
    const viewing = await view(await support());
    const { headers } = await viewing.call('endView');
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-navette-view=; Max-Age=0/);
    expect(await statusOf(viewing)).toBe(401);
  });

  test('ends after half an hour', async () => {
    const viewing = await view(await support());
    server.setNow(new Date(Date.now() + 29 * MINUTE));
    expect(await statusOf(viewing)).toBe(200);
    server.setNow(new Date(Date.now() + 31 * MINUTE));
    const ended = await viewing.call('readAccount');
    expect(ended.status).toBe(401);
    expect(ended.headers.getSetCookie()[0]).toMatch(/^__Host-navette-view=; Max-Age=0/);
    server.setNow(new Date());
  });

  test('ends when its staff member signs out or is removed', async () => {
    const [leaving, removed, admin] = [await support(), await support(), await createTestStaff(server)];
    const [first, second] = [await view(leaving), await view(removed)];
    await leaving.call('signOut');
    await admin.call('removeStaff', { params: { id: removed.id } });
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  });

  test.each<StaffRole>(['admin', 'dispatcher'])('ends when its staff member becomes %s', async (role) => {
    const [staff, admin] = [await support(), await createTestStaff(server)];
    const viewing = await view(staff);
    expect(await admin.call('changeStaffRole', { params: { id: staff.id }, body: { role } })).toMatchObject({
      status: 200,
    });
    expect(await statusOf(viewing)).toBe(401);
  });

  test('is replaced by the next one of the same session', async () => {
    const staff = await support();
    const first = await view(staff);
    const second = await view(staff, (await server.createAccount()).id);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });

  test('ends when the account is closed, and none starts there', async () => {
    const account = await server.createAccount();
    const staff = await support();
    const viewing = await view(staff, account.id);
    await closeAccount(server.db, account.id);
    expect(await statusOf(viewing)).toBe(401);
    const again = { params: { id: account.id }, body: { reason: REASON } };
    expect(await staff.call('viewAsMerchant', again)).toMatchObject({
      status: 409,
      body: { error: 'NOT_POSSIBLE_NOW' },
    });
  });

  test('wins over a member’s session in the same browser, and never acts with it', async () => {
    const owner = tenant.owners[1];
    const viewing = await view(await support());
    const both = { cookie: `${owner?.cookie}; ${viewing.cookie}`, csrfToken: owner?.csrfToken ?? '' };
    const browser = dashboardCaller(server.url, both);
    expect((await browser('readSession')).body.view).toMatchObject({ by: 'Zoé Martin' });
    const body = { name: 'Mallory', language: 'fr' };
    expect(await browser('updateProfile', { body })).toMatchObject({ status: 403, body: { error: 'BAD_CSRF_TOKEN' } });
    const headers = { [CSRF_HEADER]: String(viewing.session.body.csrfToken) };
    expect(await browser('updateProfile', { body, headers })).toMatchObject({
      status: 403,
      body: { error: 'VIEW_IS_READ_ONLY' },
    });
  });

  test('needs a reason', async () => {
    const staff = await support();
    const blank = { params: { id: tenant.account.id }, body: { reason: '  ' } };
    expect(await staff.call('viewAsMerchant', blank)).toMatchObject({ status: 400 });
  });
});
