import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../dashboard.ts';
import { ship } from '../dispatched.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { workDone } from '../test-worker.ts';
import { withWorker } from '../with-worker.ts';
import { startAttackedServer } from './tenant.ts';

let server: TestServer;
let account: TestAccount;
let owner: TestMember;
let listener: Server;
let connections = 0;
let port: number;
beforeAll(async () => {
  server = await startAttackedServer({ WEBHOOK_ALLOWED_NETWORKS: '' });
  account = await server.createAccount({ paymentMode: 'deferred' });
  owner = await createTestMember(server, account.id);
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((listening) => listener.listen({ host: '::', port: 0 }, listening));
  ({ port } = listener.address() as { port: number });
});
afterAll(async () => {
  listener.close();
  await server.stop();
});

/** Spellings of this machine and of networks that only it can reach; none of them needs a name server. */
const HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
  ],
  ...[
    '127.255.255.254',
    '１２７.0.0.1',
    '127。0。0。1',
    '127.0.0.1.',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
];

test('no spelling of an inner address is reached, by a saved webhook, a changed one or a test', async () => {
  const urls: string[] = [];
  for (const host of HOSTS) {
    const url = `http://${host}:${port}/`;
    if (!URL.canParse(url)) continue;
    const { status, body } = await server.call(account, 'POST', '/webhooks', {
      body: { url, events: ['shipping.created'] },
    });
    expect([host, status]).toEqual([host, 400]);
    expect(body.error).toBe('VALIDATION_ERROR');
    urls.push(url);
  }
  expect(urls.length).toBeGreaterThan(25);
  const placeholder = { url: 'http://93.184.215.14/', events: ['shipping.created'], isActive: false };
  const { body } = await server.call(account, 'POST', '/webhooks', { body: placeholder });
  // Now as if it had been saved while its name resolved to another address.
  for (const url of urls) {
    await server.db.updateTable('webhooks').set({ url, is_active: true }).where('id', '=', body.webhook._id).execute();
    const tested = await owner.call('testWebhook', {
      params: { id: body.webhook._id },
      body: { event: 'shipping.created' },
    });
    expect(tested.status).toBeLessThan(500);
  }
  await withWorker(server, async () => {
    await ship(server, account);
    await workDone(server);
  });
  expect(connections).toBe(0);
});
