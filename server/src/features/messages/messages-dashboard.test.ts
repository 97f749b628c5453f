import { LANGUAGES } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let shop: TestAccount;
let operations: TestMember;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'http://navette.example' });
  shop = await server.createAccount();
  operations = await createTestMember(server, shop.id, 'operations');
});
afterAll(() => server.stop());

const isOn = (body: { settings: { messages: { kind: string; isOn: boolean }[] } }) =>
  body.settings.messages.filter((message) => message.isOn).map(({ kind }) => kind);
const DEFAULT = [
  'booked-email',
  'recipient-sms',
  'recipient-email',
  'collection-sms',
  'collection-email',
  'next-email',
  'delivered-email',
  'cancelled-email',
];

describe('the settings of messages', () => {
  test('are all e-mails and the contract’s SMS at first, and change one by one, with an entry in the log', async () => {
    const first = await operations.call('readMessageSettings');
    expect(first.body.settings).toMatchObject({ language: null, sms: { today: 0, perDay: 1_000 } });
    expect(isOn(first.body)).toEqual(DEFAULT);

    const switchTo = (kind: 'soon-sms' | 'next-email', on: boolean) =>
      operations.call('changeMessageSettings', { body: { messages: [{ kind, isOn: on }] } });
    await Promise.all([switchTo('soon-sms', true), switchTo('next-email', false)]);
    const { body } = await operations.call('changeMessageSettings', { body: { language: 'en' } });
    expect(body.settings.language).toBe('en');
    expect(isOn(body)).toEqual(DEFAULT.map((kind) => (kind === 'next-email' ? 'soon-sms' : kind)));
    const owner = await createTestMember(server, shop.id, 'owner');
    const { acts } = (await owner.call('listActs')).body;
    expect(acts.filter(({ act }: { act: string }) => act === 'message-settings-changed')).toHaveLength(3);
  });

  test('are the account’s own, and only of roles that may ship', async () => {
    const other = await createTestMember(server, (await server.createAccount()).id, 'owner');
    expect(isOn((await other.call('readMessageSettings')).body)).toEqual(DEFAULT);
    const reader = await createTestMember(server, shop.id, 'read-only');
    const { status, body } = await reader.call('changeMessageSettings', { body: { language: 'fr' } });
    expect([status, body.error]).toEqual([403, 'ROLE_NOT_ALLOWED']);
  });

  test('refuse to switch off a message that the contract promises', async () => {
    const body = { messages: [{ kind: 'recipient-sms', isOn: false }] } as never;
    const { status } = await operations.call('changeMessageSettings', { body });
    expect(status).toBe(400);
  });
});

describe('a preview', () => {
  test('exists for every message in both languages, names the shop, and has no working link', async () => {
    const { body } = await operations.call('readMessageSettings');
    for (const { kind } of body.settings.messages) {
      for (const language of LANGUAGES) {
        const preview = (await operations.call('previewMessage', { query: { kind, language } })).body;
        expect(`${preview.subject}${preview.text}`).toContain('Atelier Zoé');
        const link = /http:\/\/navette\.example(\/t\/\S+)/.exec(preview.text)?.[1];
        expect((await fetch(`${server.url}${link}`)).status).toBe(404);
        const page = await operations.call('showMessage', { query: { kind, language } });
        expect([kind, page.status]).toEqual([kind, kind.endsWith('sms') ? 404 : 200]);
      }
    }
  });

  test('as a page runs no script, loads nothing and is framed by the dashboard only', async () => {
    const { headers } = await operations.call('showMessage', { query: { kind: 'collection-email' } });
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:;.*frame-ancestors 'self'; sandbox$/,
    );
  });
});
