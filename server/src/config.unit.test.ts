import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const DEFAULT = 'for-development-only-not-a-secret';
const OWN = 'x'.repeat(32);
const OWN_SECRETS = { LINK_SECRETS: OWN, WEBHOOK_SECRET_KEYS: OWN, SECOND_FACTOR_KEYS: OWN };

function problemsWith(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

describe('default secrets, which everybody can read', () => {
  test.each<Record<string, string>>([
    {},
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1:3000' },
    { HOST: '127.8.9.1', PUBLIC_URL: 'HTTP://LocalHost' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
    { HOST: 'LOCALHOST', PUBLIC_URL: '' },
  ])('start a service that only this machine reaches: %j', (environment) => {
    expect(problemsWith(environment)).toBe('');
  });

  test.each<Record<string, string>>([
    { PUBLIC_URL: 'https://navette.example' },
    { PUBLIC_URL: 'HTTPS://navette.example' },
    { PUBLIC_URL: ' https://navette.example' },
    { PUBLIC_URL: 'https://127.0.0.1' }, // a proxy on this machine: people reach it from elsewhere
    { PUBLIC_URL: 'http://navette.example' },
    { PUBLIC_URL: 'http://127.0.0.1.navette.example' },
    { PUBLIC_URL: 'http://localhost.navette.example' },
    { PUBLIC_URL: 'http://10.0.0.1:3000' },
    { PUBLIC_URL: 'navette.example' }, // cannot be read: not known to be development
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '' }, // Node listens everywhere
    { HOST: '10.0.0.1' },
    { HOST: '::ffff:10.0.0.1' },
    { HOST: 'navette.internal' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1:3000' },
  ])('start no other: %j', (environment) => {
    const problems = problemsWith(environment);
    for (const name of Object.keys(OWN_SECRETS)) expect(problems).toMatch(new RegExp(`^${name} must be set to`, 'm'));
    expect(problems).toContain('openssl rand -hex 32');
    const { PUBLIC_URL = '' } = environment;
    expect(problemsWith({ ...environment, ...OWN_SECRETS })).toBe(
      PUBLIC_URL === 'navette.example' ? 'PUBLIC_URL must be a URL that starts with http:// or https://' : '',
    );
  });

  test.each([`${DEFAULT},${OWN}`, `${OWN}, ${DEFAULT}`, ` ${DEFAULT} `])(
    'are refused anywhere in a list: %j',
    (list) => {
      const environment = { PUBLIC_URL: 'https://navette.example', ...OWN_SECRETS, SECOND_FACTOR_KEYS: list };
      expect(problemsWith(environment)).toMatch(/^SECOND_FACTOR_KEYS must be set to.*/);
      expect(problemsWith({ SECOND_FACTOR_KEYS: list })).toBe('');
    },
  );

  test('every wrong setting is named at once, with what to do', () => {
    const problems = problemsWith({ HOST: '0.0.0.0', PORT: 'x', LINK_SECRETS: 'short' }).split('\n');
    const names = ['PORT', 'LINK_SECRETS', 'WEBHOOK_SECRET_KEYS', 'SECOND_FACTOR_KEYS']; // in the table's order
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
    expect(problems.join()).toContain('HOST');
  });
});

test('short secrets are refused, and several keep their order', () => {
  expect(() => readConfig({ LINK_SECRETS: 'short' })).toThrow(/32 characters/);
  const [fresh, old] = ['n'.repeat(32), 'o'.repeat(32)];
  expect(readConfig({ LINK_SECRETS: `${fresh}, ${old}` }).linkSecrets).toEqual([fresh, old]);
});

test('countries for SMS are ISO codes, in any case; none at all is possible', () => {
  expect(readConfig({ SMS_COUNTRIES: 'fr, BE ,' }).smsCountries).toEqual(['FR', 'BE']);
  expect(readConfig({ SMS_COUNTRIES: '' }).smsCountries).toEqual([]);
  for (const wrong of ['France', 'FR BE', 'QQ', '33'])
    expect(() => readConfig({ SMS_COUNTRIES: wrong })).toThrow(/SMS_COUNTRIES must be/);
});
