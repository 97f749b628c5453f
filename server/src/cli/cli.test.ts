import { createHash } from 'node:crypto';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '@navette/contract';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../test/crowd.ts';
import { everyRow } from '../../test/every-row.ts';
import { runNavette } from '../../test/navette-process.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createDatabase, createPool } from '../database/database.ts';
import { createAccount } from '../features/accounts/index.ts';
import { createKey, listKeys, revokeAnyKey } from '../features/api-keys/index.ts';
import { createProgram } from './program.ts';

const SETTINGS = { name: 'Atelier Zoé', email: 'zoe@example.org', minimumPrice: 8.5 };
const NOBODY = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';
const CONCURRENCY = 2; // processes; each takes most of a second of processor time to start

let database: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  environment = { DATABASE_URL: database.url };
});
afterAll(() => database.drop());

const navette = (args: string[], input?: unknown) =>
  runNavette(args, environment, input === undefined ? undefined : JSON.stringify(input));

/** The printed JSON of a command that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: records of every shape
async function json(args: string[], input?: unknown): Promise<any> {
  const { code, stdout, stderr } = await navette([...args, '--json'], input);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const createEmptyAccount = async () => (await createAccount(database.db, SETTINGS, { locate: async () => null })).id;

describe('--help', () => {
  /** The help of every command, by its name. */
  function helpsOf(command: Command, name = ''): [name: string, help: string][] {
    let help = '';
    command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
    const inner = command.commands.flatMap((one) => helpsOf(one, `${name} ${one.name()}`.trim()));
    return [[name, help], ...inner];
  }

  test('of every command shows an example', () => {
    const helps = helpsOf(createProgram());
    expect(helps.length).toBeGreaterThan(40);
    for (const [name, help] of helps) expect(help).toMatch(new RegExp(`Examples?:\\n[^]*navette ${name}`));
  });

  test('exits with 0', async () => {
    for (const command of [[], ['account', 'credit'], ['shipment', 'confirm-delivery']])
      expect(await navette([...command, '--help'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.concurrent('bad usage', () => {
  const create = ['account', 'create', '--input', '-'];

  test('exits with 2, prints nothing on standard output and explains the mistake', async () => {
    const cases: [args: string[], says: RegExp, input?: string][] = [
      [['fly'], /unknown command 'fly'/],
      [['serve', 'pizza'], /Allowed choices are api, worker/],
      [['account', 'list', '--fly'], /unknown option '--fly'/],
      [['account', 'create'], /--input/],
      [['account', 'show'], /missing required argument 'account'/],
      [['account', 'show', 'zoe'], /"zoe" is not an id/],
      [['account', 'credit', NOBODY, '--amount', '12.345'], /--amount must be EUR/],
      [['account', 'create', '--input', 'no-such-file.json'], /cannot read no-such-file.json/],
      [create, /standard input must contain one JSON object/, '[]'],
      [create, /standard input is not JSON: .*position 2/, '{"'],
      [create, /paymentMode: must be one of prepaid, deferred/, '{"paymentMode": "later"}'],
      [create, /name: required\n.*email: required/, '{}'],
      [create, /nmae: unknown setting/, '{"nmae": "Zoé", "email": "zoe@example.org"}'],
      [create, /must name its hours/, '{"name": "Z", "email": "z@example.org", "timeSlots": [{"label": "Matin"}]}'],
      [
        create,
        /isSpecialRequest: needs agreedPickupTime/,
        '{"name": "Z", "email": "z@example.org", "isSpecialRequest": true}',
      ],
      [['key', 'create', NOBODY, '--scopes', 'read,fly'], /unknown scope "fly"/],
      [['key', 'create', NOBODY, '--expires-at', 'tomorrow'], /"tomorrow" is not a date/],
      [['key', 'create', NOBODY, '--expires-at', '2001-01-01'], /2001-01-01 has passed/],
      [['key', 'revoke', 'web'], /"web" is not an id; `navette key list ACCOUNT`/],
      [['shipment', 'locate', 'REF', '--delivery', ','], /"," is not a place/],
    ];
    const results = await crowd(CONCURRENCY, cases, ([args, , input]) => runNavette(args, environment, input));
    for (const [i, { code, stdout, stderr }] of results.entries()) {
      const [args, says] = cases[i] ?? [[], /./];
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toMatch(says);
    }
  });

  test('correct usage that cannot be executed exits with 1', async () => {
    const cases = [
      ['account', 'show', NOBODY],
      ['key', 'create', NOBODY],
      ['key', 'list', NOBODY],
      ['account', 'members', NOBODY],
      ['webhook', 'list', NOBODY],
      ['webhook', 'deliveries', NOBODY],
      ['key', 'revoke', NOBODY],
    ];
    const results = await crowd(CONCURRENCY, cases, (args) => navette(args));
    for (const [i, { code, stdout, stderr }] of results.entries()) {
      expect({ args: cases[i], code, stdout }).toEqual({ args: cases[i], code: 1, stdout: '' });
      expect(stderr).toContain(NOBODY);
    }
  });

  test('an invalid configuration exits with 2 and lists all problems at once', async () => {
    const bad = { DATABASE_URL: 'mysql://x', PORT: '99999', TIME_ZONE: 'Mars/Olympus', LOG_LEVEL: 'loud' };
    const { code, stderr } = await runNavette(['doctor'], bad);
    expect(code).toBe(2);
    for (const name of Object.keys(bad)) expect(stderr).toContain(`${name} must be`);
  });
});

describe.concurrent('account', () => {
  test('create, show, update, list, credit and close, as JSON', async () => {
    const created = await json(['account', 'create', '--input', '-'], SETTINGS);
    expect(created).toEqual({ id: expect.any(String), clientId: expect.stringMatching(/^nvc_/) });
    const { id, clientId } = created;
    expect(await json(['account', 'show', id])).toMatchObject({
      id,
      clientId,
      ...SETTINGS,
      balance: 0,
      closedAt: null,
    });

    const change = { paymentStatus: 'suspended', timeSlots: [{ label: 'Matin (9h-12h)' }] };
    const updated = await json(['account', 'update', id, '--input', '-'], change);
    expect(updated).toMatchObject({
      ...SETTINGS,
      paymentStatus: 'suspended',
      timeSlots: [{ label: 'Matin (9h-12h)' }],
    });

    expect(await json(['account', 'credit', id, '--amount', '50.10'])).toEqual({
      entry: 1,
      amount: 50.1,
      balance: 50.1,
    });
    const corrected = await json(['account', 'credit', id, '--amount', '-0.10', '--note', 'typing mistake']);
    expect(corrected).toEqual({ entry: 2, amount: -0.1, balance: 50 });

    expect(await json(['account', 'list'])).toContainEqual(expect.objectContaining({ id, balance: 50 }));
    expect(await json(['account', 'close', id])).toEqual({ closed: id });
    expect((await navette(['account', 'close', id])).code).toBe(1);
  });

  test('output without --json is a table', async () => {
    const id = await createEmptyAccount();
    const list = (await navette(['account', 'list'])).stdout;
    expect(list).toMatch(/^ID +CLIENTID +NAME +PAYMENTMODE +PAYMENTSTATUS +BALANCE\n/);
    expect(list).toMatch(new RegExp(`^${id} +nvc_\\w+ +Atelier Zoé +prepaid +current +0$`, 'm'));
    const shown = (await navette(['account', 'show', id])).stdout;
    expect(shown).toMatch(new RegExp(`^id +${id}$`, 'm'));
    expect(shown).toMatch(/^minimumPrice +8.5$/m);
    expect(shown).toMatch(/^pickupAddress +-$/m);
  });
});

describe.concurrent('key', () => {
  test('create, list and revoke, as JSON and as a table', async () => {
    const id = await createEmptyAccount();
    const options = ['--name', 'web shop', '--scopes', 'read,delete', '--expires-at', '2030-01-01T00:00:00Z'];
    const { id: keyId, key } = await json(['key', 'create', id, ...options]);
    expect(key).toMatch(/^navette_key_[0-9A-Za-z]{43}$/);

    const listed = await json(['key', 'list', id]);
    expect(listed).toEqual([
      {
        id: keyId,
        name: 'web shop',
        hint: key.slice(-4),
        scopes: ['read', 'delete'],
        networks: null,
        resources: null,
        expiresAt: '2030-01-01T00:00:00.000Z',
        lastUsedAt: null,
        revokedAt: null,
        revokedBy: null,
        createdAt: expect.any(String),
        createdBy: null,
        createdByEmail: null,
        makerHasLeft: false,
      },
    ]);
    const table = (await navette(['key', 'list', id])).stdout;
    expect(table).toMatch(
      /^ID +NAME +HINT +SCOPES +NETWORKS +RESOURCES +EXPIRESAT +LASTUSEDAT +REVOKEDAT +CREATEDAT\n/,
    );
    expect(table).toContain('read, delete');
    expect(table).not.toContain(key);

    expect(await json(['key', 'revoke', keyId])).toEqual({ revoked: keyId });
    expect((await navette(['key', 'revoke', keyId])).code).toBe(1);
    expect((await listKeys(database.db, id))[0]?.revokedAt).toBeInstanceOf(Date);
  });

  test('a key is shown once, and the database contains only its hash', async () => {
    const id = await createEmptyAccount();
    const { stdout } = await navette(['key', 'create', id]);
    const key = /navette_key_\w{43}/.exec(stdout)?.[0] ?? '';
    expect(key).toHaveLength(55);
    expect(stdout).toContain('cannot be shown again');

    const secret = key.slice('navette_key_'.length);
    const traces = [secret, Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')];
    const rows = await everyRow(database.db);
    expect(rows).toContain(id);
    for (const trace of traces) expect(rows).not.toContain(trace);
    const hash = createHash('sha256').update(key).digest();
    const stored = await database.db.selectFrom('api_keys').select('key_hash').where('account_id', '=', id).execute();
    expect(stored).toEqual([{ key_hash: hash }]);
  });

  describe('at most ten active keys per account', () => {
    const wanted = { name: null, scopes: ['read'], expiresAt: null } as const;

    async function countActive(accountId: string): Promise<number> {
      const keys = database.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
      return (await keys.where('revoked_at', 'is', null).execute()).length;
    }

    test('50 simultaneous creations from two pools leave exactly ten', async () => {
      const id = await createEmptyAccount();
      const pools = [0, 1].map(() =>
        createDatabase(createPool({ databaseUrl: database.url, size: 10, connectionTimeLimitMs: 60_000 })),
      );
      const creations = Array.from({ length: 50 }, (_, i) => createKey(pools[i % 2] ?? database.db, id, wanted));
      const outcomes = (await Promise.all(creations)).map(({ outcome }) => outcome);
      await Promise.all(pools.map((pool) => pool.destroy()));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(MAX_ACTIVE_KEYS_PER_ACCOUNT);
      expect(outcomes.filter((outcome) => outcome === 'too-many')).toHaveLength(40);
      expect(await countActive(id)).toBe(MAX_ACTIVE_KEYS_PER_ACCOUNT);
    });

    test('five concurrent commands create the last two; a revoked or expired key does not count', async () => {
      const id = await createEmptyAccount();
      const created = [];
      for (let i = 0; i < 8; i++) created.push(await createKey(database.db, id, wanted));
      const results = await Promise.all(Array.from({ length: 5 }, () => navette(['key', 'create', id])));
      expect(results.filter(({ code }) => code === 0)).toHaveLength(2);
      expect(results.filter(({ code }) => code === 1)).toHaveLength(3);
      expect(results.find(({ code }) => code === 1)?.stderr).toContain('already has 10 active keys');
      expect(await countActive(id)).toBe(10);

      const [first] = created;
      await revokeAnyKey(database.db, first?.outcome === 'created' ? first.id : '');
      expect((await createKey(database.db, id, { ...wanted, expiresAt: new Date(0) })).outcome).toBe('created');
      expect((await createKey(database.db, id, wanted)).outcome).toBe('created');
      expect((await createKey(database.db, id, wanted)).outcome).toBe('too-many');
    });
  });
});
