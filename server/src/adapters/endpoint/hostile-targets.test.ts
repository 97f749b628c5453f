import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { createAddressCheck } from './address-check.ts';
import { createEndpointClient } from './endpoint-client.ts';

/** Every notation that a URL parser, a resolver or a socket may accept for an internal address. */
const HOSTILE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433', // decimal
  '0x7f000001', // hexadecimal
  '0x7f.0.0.1',
  '0X7F.1',
  '017700000001', // octal
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0.0.1.', // a trailing dot
  '127%2e0%2e0%2e1', // percent-encoded
  '１２７.０.０.１', // full-width digits
  '127。0。0。1', // ideographic full stops
  '①②⑦.⓪.⓪.①', // circled digits
  '0', // this host
  '0.0.0.0',
  '0.1.2.3',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1', // CGNAT
  '100.100.100.200', // metadata of Alibaba Cloud, in the same range
  '169.254.169.254', // metadata of most clouds
  '2852039166', // the same, decimal
  '0xA9FEA9FE', // and hexadecimal
  '168.63.129.16', // Azure's agent, on a public number
  '192.0.0.192', // metadata of Oracle Cloud
  '198.18.0.1', // benchmarks
  '192.0.2.1', // documentation
  '224.0.0.1', // multicast
  '255.255.255.255',
  '240.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]', // IPv4-mapped
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::127.0.0.1]', // IPv4-compatible
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]', // NAT64
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]', // 6to4
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]', // Teredo
  '[fe80::1]', // link-local
  '[fe80::5efe:127.0.0.1]',
  '[2a00:1450::5efe:7f00:1]', // ISATAP in a public network
  '[fec0::1]', // site-local, abolished
  '[fc00::1]',
  '[fd00:ec2::254]', // metadata of AWS over IPv6
  '[ff02::1]',
  '[100::1]', // discard
  '[2001:db8::1]', // documentation
];

/** Possible answers of a name server that an attacker controls. */
const HOSTILE_ANSWERS: Record<string, string[]> = {
  'an internal address': ['127.0.0.1'],
  'the metadata service': ['169.254.169.254'],
  'a public address and an internal one': ['93.184.215.14', '127.0.0.1'],
  'an internal address among many public ones': ['93.184.215.14', '93.184.215.15', '10.0.0.7', '93.184.215.16'],
  'a public IPv4 and an internal IPv6 address': ['93.184.215.14', '::1'],
  'a mapped address': ['::ffff:127.0.0.1'],
  'NAT64 of an internal address': ['64:ff9b::7f00:1'],
  '6to4 of an internal address': ['2002:7f00:1::'],
  'an unspecified address': ['0.0.0.0'],
  'text that is no address': ['127.0.0.1/24'],
  nothing: [],
};

let canaries: { server: Server; port: number }[];
let connections = 0;
beforeAll(async () => {
  const hosts = ['0.0.0.0', '::'];
  canaries = await Promise.all(
    hosts.map(async (host) => {
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      await new Promise<void>((listening) => server.listen({ host, port: 0, ipv6Only: host === '::' }, listening));
      return { server, port: (server.address() as { port: number }).port };
    }),
  );
});
afterAll(() => {
  for (const { server } of canaries) server.close();
});

const body = Buffer.from('{}');
const clientFor = (resolve: (name: string) => Promise<string[]>, allowed: string[] = [], timeoutMs = 60_000) =>
  createEndpointClient({ resolve, isAllowed: createAddressCheck(allowed), timeoutMs });

/** Posts to the host at every canary's port. */
async function attack(host: string, resolve: (name: string) => Promise<string[]>): Promise<(string | null)[]> {
  const client = clientFor(resolve);
  const answers = await Promise.all(
    canaries.flatMap(({ port }) =>
      URL.canParse(`http://${host}:${port}/`) ? client.post({ url: `http://${host}:${port}/`, headers: {}, body }) : [],
    ),
  );
  await client.close();
  expect(answers.every(({ status }) => status === null)).toBe(true);
  return answers.map(({ error }) => error);
}

describe('a webhook cannot reach an internal address', () => {
  test('the canaries detect a connection', async () => {
    const client = clientFor(async () => [], ['127.0.0.0/8', '::1']);
    await client.post({ url: `http://127.0.0.1:${canaries[0]?.port}/`, headers: {}, body });
    await client.post({ url: `http://[::1]:${canaries[1]?.port}/`, headers: {}, body });
    await client.close();
    expect(connections).toBe(2);
    connections = 0;
  });

  test.each(HOSTILE_HOSTS)('written as %s', async (host) => {
    const toLoopback = async () => ['127.0.0.1']; // the worst answer, for hosts that are parsed as names
    expect(new Set(await attack(host, toLoopback))).toEqual(new Set(['NO_PUBLIC_ADDRESS']));
    expect(connections).toBe(0);
  });

  test.each(Object.keys(HOSTILE_ANSWERS))('by a name that resolves to %s', async (kind) => {
    const answer = HOSTILE_ANSWERS[kind] ?? [];
    const errors = await attack('innocent.example.org', async () => answer);
    for (const error of errors) expect(error).toBe('NO_PUBLIC_ADDRESS');
    expect(connections).toBe(0);
  });

  test('by a name whose answer changes between the check and the connection', async () => {
    const outside = createServer((socket) =>
      socket.end('HTTP/1.1 200 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    );
    const port = await freePort();
    await new Promise<void>((listening) => outside.listen(port, '127.0.0.2', listening));
    const inside = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((listening) => inside.listen(port, '127.0.0.1', listening));
    let questions = 0;
    const rebinding = async () => (++questions % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.1']);
    const client = clientFor(rebinding, ['127.0.0.2']);
    const results: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      const { status, error } = await client.post({ url: `http://rebinding.example.org:${port}/`, headers: {}, body });
      results.push(status ?? error);
    }
    await client.close();
    for (const server of [outside, inside]) server.close();
    // The connection goes to the address that was checked: there is no second query with another answer.
    expect(results).toEqual([200, 'NO_PUBLIC_ADDRESS', 200, 'NO_PUBLIC_ADDRESS', 200, 'NO_PUBLIC_ADDRESS']);
    expect({ questions, connections }).toEqual({ questions: 6, connections: 0 });
  });

  test('by a redirect', async () => {
    const redirecting = createServer((socket) => {
      socket.end(`HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:${canaries[0]?.port}/\r\nContent-Length: 0\r\n\r\n`);
    });
    await new Promise<void>((listening) => redirecting.listen(0, '127.0.0.2', listening));
    const { port } = redirecting.address() as { port: number };
    const client = clientFor(async () => ['127.0.0.2'], ['127.0.0.2']);
    const { status } = await client.post({ url: `http://shop.example.org:${port}/`, headers: {}, body });
    await client.close();
    redirecting.close();
    expect({ status, connections }).toEqual({ status: 307, connections: 0 });
  });
});

describe('an address check', () => {
  const isAllowed = createAddressCheck([]);

  test.each(['93.184.215.14', '1.1.1.1', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a00:1450::1'])(
    'allows the public address %s',
    (address) => expect(isAllowed(address)).toBe(true),
  );

  test('allows exactly the networks that the operator configured', () => {
    const opened = createAddressCheck(['10.1.0.0/16', '127.0.0.1', 'fd12::/16']);
    for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd12::1', '93.184.215.14'])
      expect([address, opened(address)]).toEqual([address, true]);
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', 'fd13::1', '169.254.169.254', 'x', ''])
      expect([address, opened(address)]).toEqual([address, false]);
  });
});
