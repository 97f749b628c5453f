import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { signReference } from '../shipments/index.ts';
import { readShopPage, saveShopPage } from './shop-page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const save = (accountId: string, change: Parameters<typeof saveShopPage>[2]) =>
  server.db.transaction().execute((tx) => saveShopPage(tx, accountId, change, new Date()));

test('recipients see contact, logo and their own address, of their merchant only', async () => {
  const [shop, other] = [
    await server.createAccount({ paymentMode: 'deferred' }),
    await server.createAccount({ paymentMode: 'deferred' }),
  ];
  await save(shop.id, { contactEmail: 'bonjour@fleurs.example', logo: PNG.toString('base64') });
  await save(shop.id, { contactPhone: '01 23 45 67 89' });
  expect(await readShopPage(server.db, shop.id)).toMatchObject({
    ...{ contactEmail: 'bonjour@fleurs.example', contactPhone: '01 23 45 67 89' },
    logo: `data:image/png;base64,${PNG.toString('base64')}`,
  });
  const open = async (account: typeof shop, path = '') => {
    const { referenceNumber } = await ship(server, account);
    return fetch(`${server.url}/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}${path}`);
  };
  const page = await (await open(shop)).text();
  for (const text of ['tel:0123456789', 'mailto:bonjour@fleurs.example', '/logo"', 'Adresse de livraison'])
    expect(page).toContain(text);
  const logo = await open(shop, '/logo');
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await logo.arrayBuffer())).toEqual(PNG);
  expect(await (await open(other)).text()).not.toContain('mailto:');
  expect((await open(other, '/logo')).status).toBe(404);
});

test('a logo is judged by its bytes', async () => {
  const { id } = await server.createAccount();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const large = Buffer.concat([PNG, Buffer.alloc(70_000)]);
  for (const file of [svg, large, Buffer.from('GIF89a')])
    await expect(save(id, { logo: file.toString('base64') })).rejects.toMatchObject({ status: 400 });
  expect((await readShopPage(server.db, id)).logo).toBe(null);
});
