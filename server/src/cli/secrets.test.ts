import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { createMember } from '../features/members/index.ts';
import { countAnyWebhookSecretKeys, createSecretKeeper, resealAnyWebhookSecrets } from '../features/webhooks/index.ts';
import { createSecondFactorSealer } from '../identity/consume-code.ts';
import { countAnySecondFactorKeys, resealAnySecondFactors } from '../identity/reseal-second-factors.ts';

const NEW = 'a-fresh-key-0123456789-0123456789-01';
const SECRET = 'navette_whsec_of-a-merchant';
const WEBHOOKS = 7;
const MEMBERS = 5;

let server: TestServer;
let old: { webhooks: string; members: string };
beforeAll(async () => {
  server = await startTestServer();
  old = { webhooks: String(server.config.webhookSecretKeys[0]), members: String(server.config.secondFactorKeys[0]) };
  const shop = await server.createAccount();
  const keeper = createSecretKeeper([old.webhooks]);
  for (let i = 0; i < WEBHOOKS; i++) {
    const id = randomUUIDv7();
    const { key, sealed } = keeper.seal({ accountId: shop.id, webhookId: id }, SECRET);
    const row = { account_id: shop.id, id, url: `https://shop.example/${i}`, events: ['shipping.created'] };
    await server.db
      .insertInto('webhooks')
      .values({ ...row, secret_key: key, sealed_secret: sealed, is_active: true })
      .execute();
  }
  const sealer = createSecondFactorSealer([old.members]);
  for (let i = 0; i < MEMBERS; i++) {
    const email = `member-${i}@example.org`;
    const person = { email, name: `Member ${i}`, role: 'owner', language: 'fr', passwordHash: 'none' } as const;
    const id = String(await createMember(server.db, shop.id, person, new Date()));
    const { key, sealed } = sealer.seal(id, `secret of ${email}`);
    await server.db
      .updateTable('members')
      .set({ second_factor_key: key, sealed_second_factor: sealed })
      .where('id', '=', id)
      .execute();
  }
});
afterAll(() => server.stop());

const reencrypt = async (webhookKeys: string, memberKeys: string) => {
  const settings = { WEBHOOK_SECRET_KEYS: webhookKeys, SECOND_FACTOR_KEYS: memberKeys };
  const { code, stdout, stderr } = await runNavette(['secrets', 're-encrypt', '--json'], {
    ...server.environment,
    ...settings,
  });
  const [webhooks, members] = JSON.parse(stdout) as { reencrypted: number; unreadable: number }[];
  return { code, stderr, webhooks, members };
};

const keysInUse = async () => [
  [...(await countAnyWebhookSecretKeys(server.db)).keys()],
  [...(await countAnySecondFactorKeys(server.db)).keys()],
];

/** Every secret as the service would decrypt it with these keys. */
async function openAll(webhookKeys: string[], memberKeys: string[]): Promise<string[]> {
  const keeper = createSecretKeeper(webhookKeys);
  const sealer = createSecondFactorSealer(memberKeys);
  const webhooks = await server.db.selectFrom('webhooks').selectAll().orderBy('id').execute();
  const members = await server.db.selectFrom('members').selectAll().orderBy('id').execute();
  return [
    ...webhooks.map(({ account_id: accountId, id, secret_key: key, sealed_secret: sealed }) =>
      keeper.open({ accountId, webhookId: id }, { key, sealed }),
    ),
    ...members.map(({ id, second_factor_key: key, sealed_second_factor: sealed }) =>
      sealer.open(id, { key: String(key), sealed: sealed as Buffer }),
    ),
  ];
}

test('re-encrypts every secret with the first key, after which the old key can be removed', async () => {
  const before = await openAll([old.webhooks], [old.members]);
  const without = await reencrypt(NEW, NEW);
  expect(without).toMatchObject({
    code: 1,
    webhooks: { reencrypted: 0, unreadable: WEBHOOKS },
    members: { reencrypted: 0, unreadable: MEMBERS },
    stderr: expect.stringContaining('WEBHOOK_SECRET_KEYS and SECOND_FACTOR_KEYS'),
  });
  expect(await openAll([old.webhooks], [old.members])).toEqual(before);

  expect(await reencrypt(`${NEW},${old.webhooks}`, `${NEW},${old.members}`)).toMatchObject({
    code: 0,
    webhooks: { reencrypted: WEBHOOKS, unreadable: 0 },
    members: { reencrypted: MEMBERS, unreadable: 0 },
  });
  expect(await openAll([NEW], [NEW])).toEqual(before);
  expect(await reencrypt(NEW, NEW)).toMatchObject({
    code: 0,
    webhooks: { reencrypted: 0, unreadable: 0 },
    members: { reencrypted: 0, unreadable: 0 },
  });
});

test('an interrupted run has done its batches, and the next one continues', async () => {
  const before = await openAll([NEW], [NEW]);
  const keeper = createSecretKeeper([old.webhooks, NEW]);
  let statements = 0;
  const failing = server.db.withPlugin({
    transformQuery({ node }) {
      if (++statements > 4) throw new Error('the connection is lost'); // two batches of a read and a write
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await expect(resealAnyWebhookSecrets(failing, keeper, 2)).rejects.toThrow('the connection is lost');
  expect((await countAnyWebhookSecretKeys(server.db)).get(keeper.newestKey)).toBe(4);
  expect(await resealAnyWebhookSecrets(server.db, keeper, 2)).toEqual({ reencrypted: 3, unreadable: 0 });
  const sealer = createSecondFactorSealer([old.members, NEW]);
  expect(await resealAnySecondFactors(server.db, sealer, 2)).toEqual({ reencrypted: MEMBERS, unreadable: 0 });
  expect(await keysInUse()).toEqual([[keeper.newestKey], [sealer.newestKey]]);
  expect(await openAll([old.webhooks], [old.members])).toEqual(before);
});

test('a row that was changed by hand is counted, and the others are encrypted again', async () => {
  await sql`update webhooks set sealed_secret = set_byte(sealed_secret, 40, 255 - get_byte(sealed_secret, 40))
            where id = (select min(id::text)::uuid from webhooks)`.execute(server.db);
  const { code, webhooks } = await reencrypt(`${NEW},${old.webhooks}`, old.members);
  expect({ code, webhooks }).toMatchObject({ code: 1, webhooks: { reencrypted: WEBHOOKS - 1, unreadable: 1 } });
});
