import { expect, test } from 'vitest';
import { readConfig, SECRET_VARIABLES } from '../config.ts';
import { describePayments } from './doctor-checks.ts';
import { find } from './doctor-finding.ts';

const LIVE = {
  PUBLIC_URL: 'https://navette.example',
  ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, 'of-this-test-and-of-nothing-else'])),
};
const TEST_KEY = { STRIPE_SECRET_KEY: 'sk_test_0123456789' };
const LIVE_KEY = { STRIPE_SECRET_KEY: 'sk_live_0123456789' };

test.each<[string, Record<string, string>, string, string]>([
  ['no Stripe', {}, 'ok', 'not online'],
  ['a test key in development', TEST_KEY, 'ok', 'Stripe, test mode, secret key, endpoint secret set'],
  ['a restricted live key', { ...LIVE, STRIPE_SECRET_KEY: 'rk_live_0123456789' }, 'ok', 'live mode, restricted key'],
  [
    'two endpoint secrets',
    { ...TEST_KEY, STRIPE_WEBHOOK_SECRETS: 'whsec_1abcdefghijk,whsec_2abcdefghijk' },
    'ok',
    '2 endpoint',
  ],
  ['a test key in production', { ...LIVE, ...TEST_KEY }, 'warning', 'no money moves'],
  ['a live key without https', LIVE_KEY, 'failed', 'not https'],
  ['another host', { ...LIVE, ...LIVE_KEY, STRIPE_API_URL: 'https://stripe.example' }, 'failed', 'another address'],
])(
  'payments with %s are described without a request, and without a secret',
  async (_case, settings, status, detail) => {
    const secrets = 'STRIPE_SECRET_KEY' in settings ? { STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789' } : {};
    const config = readConfig({ ...secrets, ...settings });
    const finding = await find('payments', '', async () => describePayments(config));
    expect(finding).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect(JSON.stringify(finding)).not.toMatch(/0123456789|abcdefgh/);
  },
);
