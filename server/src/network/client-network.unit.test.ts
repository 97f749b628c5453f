import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { callingNetwork, networkOf, rememberClient } from './client-network.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address: at all', 'no address: at all'],
  ['', ''],
])('%j is counted as %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('everything that a request runs can read its network, also after its body has arrived', async () => {
  const app = Fastify();
  app.post('/', { onRequest: rememberClient }, async () => {
    await setImmediate();
    return callingNetwork();
  });
  const ask = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/', remoteAddress, payload: { some: 'body' } })).body;
  const addresses = ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.7'];
  expect(await Promise.all(addresses.map(ask))).toEqual(['192.0.2.1', '2001:db8:0:0::/64', '192.0.2.7']);
  expect(callingNetwork()).toBe('');
});
