import { describe, expect, test } from 'vitest';
import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { createTargetRules } from '../../adapters/endpoint/target-rules.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { checkTarget } from './webhook-target.ts';

/** Possible DNS responses for an internal name, and for one that does not exist. */
const ANSWERS = {
  private: async () => ['10.0.0.7'],
  unknown: async () => {
    throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  },
  silent: async () => {
    throw Object.assign(new Error('queryA ETIMEOUT'), { code: 'ETIMEOUT' });
  },
  empty: async () => [],
};

const outcome = (url: string, rules = createTargetRules([], ANSWERS.private)) => {
  try {
    checkTarget(url, rules);
    return 'accepted';
  } catch (error) {
    return (error as Refusal).dashboardSlug;
  }
};

describe('saving a webhook', () => {
  test('makes no DNS lookup: an internal name is saved like one that does not exist', () => {
    for (const resolve of Object.values(ANSWERS)) {
      expect(outcome('https://db.navette.example/x', createTargetRules([], resolve))).toBe('accepted');
    }
  });

  test.each([
    'http://localhost/',
    'http://shop.localhost/',
    'http://postgres/',
    'http://redis.internal/',
    'http://printer.local/',
    'http://nas.lan./',
    'http://router.home.arpa/',
    'http://API.Intranet/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://2130706433/',
  ])('refuses what is plainly local, whether it exists or not: %s', (url) => {
    expect(outcome(url)).toBe('WEBHOOK_URL_NOT_PUBLIC');
  });

  test('accepts local names where the operator allowed a network; the connection checks the address', () => {
    const opened = createTargetRules(['127.0.0.0/8'], ANSWERS.private);
    expect(outcome('http://localhost:4000/', opened)).toBe('accepted');
    expect(outcome('http://receiver:4000/', opened)).toBe('accepted');
    expect(outcome('http://10.0.0.1:4000/', opened)).toBe('WEBHOOK_URL_NOT_PUBLIC');
  });

  test.each([21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 1433, 2375, 3306, 5432, 6379, 6667, 9200, 11211, 27017])(
    'refuses port %i, which belongs to another protocol',
    (port) => {
      expect(outcome(`http://shop.example.org:${port}/`)).toBe('WEBHOOK_URL_FORBIDDEN_PORT');
    },
  );

  test.each([
    'http://shop.example.org/',
    'https://shop.example.org:443/',
    'https://shop.example.org:8443/x',
    'http://shop.example.org:3000/',
  ])('accepts %s', (url) => {
    expect(outcome(url)).toBe('accepted');
  });
});

describe('sending', () => {
  const post = async (url: string, resolve: () => Promise<string[]>, networks: string[] = []) => {
    const client = createEndpointClient({ ...createTargetRules(networks, resolve), timeoutMs: 1_000 });
    const { status, error } = await client.post({ url, headers: {}, body: Buffer.from('{}') });
    await client.close();
    return status ?? error;
  };

  test('reports the same error for an internal name and for one that does not exist', async () => {
    for (const resolve of Object.values(ANSWERS))
      expect(await post('https://db.navette.example/x', resolve)).toBe('NO_PUBLIC_ADDRESS');
  });

  test('connects to no port of another protocol, also for webhooks saved earlier', async () => {
    expect(await post('http://127.0.0.1:6379/', ANSWERS.private, ['127.0.0.0/8'])).toBe('FORBIDDEN_PORT');
    expect(await post('http://shop.example.org:25/', async () => ['127.0.0.1'], ['127.0.0.0/8'])).toBe(
      'FORBIDDEN_PORT',
    );
  });
});
