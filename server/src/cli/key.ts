import { KEY_RESOURCES, type KeyNarrowing, type KeyResource } from '@navette/contract/key-resources';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '@navette/contract/limits';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '@navette/contract/scopes';
import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { readId, readInstant } from './input.ts';
import { noOpenAccount, refuseUnknownAccount } from './known-account.ts';
import { accountSubject, recordedAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface CreateOptions extends OutputOptions {
  name?: string;
  scopes: string;
  expiresAt?: string;
  networks?: string | undefined;
  resources?: string | undefined;
}

const keys = () => import('../features/api-keys/index.ts');

export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('manage API keys: create, list, narrow, revoke')
    .addHelpText(
      'after',
      '\nACCOUNT is an id, as `navette account list` shows it.\n\nExample:\n  navette key create ACCOUNT --name "web shop"',
    );

  key
    .command('create <account>')
    .description(
      `create a key and print it, only once (at most ${MAX_ACTIVE_KEYS_PER_ACCOUNT} active keys per account)`,
    )
    .option('--name <text>', 'purpose of the key')
    .option('--scopes <list>', `comma-separated: ${SCOPES.join(',')}`, DEFAULT_SCOPES.join(','))
    .option('--expires-at <date>', 'ISO 8601; without it the key never expires')
    .option('--networks <list>', 'comma-separated addresses or CIDR networks; without it the key works from everywhere')
    .option('--resources <list>', `comma-separated: ${KEY_RESOURCES.join(',')}; without it all of them`)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  navette key create ACCOUNT --name "web shop" --scopes read,write --expires-at 2030-01-01T00:00:00Z',
    )
    .action(async (accountId: string, { name, scopes, expiresAt, networks, resources, ...output }: CreateOptions) => {
      const id = readId(accountId);
      const wanted = {
        name: name ?? null,
        scopes: readScopes(scopes),
        expiresAt: expiresAt ? readFuture(expiresAt) : null,
      };
      await withEngines(async ({ db }) => {
        const { createKey, readNarrowing } = await keys();
        const subject = await accountSubject(db, id);
        const recorded = await recordedAtCommandLine<{ outcome: string; id?: string }>(db, ({ outcome, id: key }) =>
          outcome === 'created' ? { act: 'key.created', subject, details: { key: key ?? null } } : null,
        );
        const narrowing = readNarrowing(readLists({ networks, resources })) ?? refuseNetworks();
        const created = await createKey(recorded, id, { ...wanted, narrowing });
        if (created.outcome === 'no-account') throw noOpenAccount(id);
        if (created.outcome === 'too-many') {
          throw new CommandFailure(
            `the account already has ${MAX_ACTIVE_KEYS_PER_ACCOUNT} active keys: revoke one first`,
          );
        }
        printRecord({ id: created.id, key: created.key }, output);
        if (!output.json) console.log('\nSave the key now: only its hash is stored, so it cannot be shown again.');
      });
    });

  key
    .command('list <account>')
    .description('list the keys of an account, including revoked keys')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette key list ACCOUNT')
    .action((accountId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { listKeys } = await keys();
        const id = readId(accountId);
        const rows = await listKeys(db, id);
        if (rows.length === 0) await refuseUnknownAccount(db, id);
        const columns = [
          'id',
          'name',
          'hint',
          'scopes',
          'networks',
          'resources',
          'expiresAt',
          'lastUsedAt',
          'revokedAt',
          'createdAt',
        ];
        printTable(rows, columns, output, 'No key yet: `navette key create ACCOUNT` creates one.');
      }),
    );

  key
    .command('narrow <key>')
    .description('replace the networks and resources of a key: without an option that restriction is lifted')
    .option('--networks <list>', 'comma-separated addresses or CIDR networks')
    .option('--resources <list>', `comma-separated: ${KEY_RESOURCES.join(',')}`)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nKEY is an id, as `navette key list` shows it.\n\nExample:\n  navette key narrow 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60 --networks 203.0.113.0/24 --resources shipments,rates',
    )
    .action((keyId: string, { networks, resources, ...output }: NarrowOptions) =>
      withEngines(async ({ db }) => {
        const { narrowKey, readNarrowing } = await keys();
        const { authorizeOperator } = await import('../features/members/index.ts');
        const id = readId(keyId, 'key list ACCOUNT');
        const narrowing = readNarrowing(readLists({ networks, resources })) ?? refuseNetworks();
        const recorded = await recordedAtCommandLine<boolean>(db, (isDone) =>
          isDone ? { act: 'key.narrowed', subject: { type: 'key', id, title: id } } : null,
        );
        if (!(await narrowKey(recorded, id, narrowing, { authorize: authorizeOperator })))
          throw new CommandFailure(`no active key ${keyId}`);
        printRecord({ key: keyId, ...narrowing }, output);
      }),
    );

  key
    .command('revoke <key>')
    .description('revoke a key permanently: it is refused within a second')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nKEY is an id, as `navette key list` shows it.\n\nExample:\n  navette key revoke 01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
    )
    .action((keyId: string, output: OutputOptions) =>
      withEngines(async ({ db }) => {
        const { revokeAnyKey } = await keys();
        const id = readId(keyId, 'key list ACCOUNT');
        const recorded = await recordedAtCommandLine<boolean>(db, (isRevoked) =>
          isRevoked ? { act: 'key.revoked', subject: { type: 'key', id, title: id } } : null,
        );
        if (!(await revokeAnyKey(recorded, id))) throw new CommandFailure(`no active key ${keyId}`);
        printRecord({ revoked: keyId }, output);
      }),
    );
}

type NarrowOptions = OutputOptions & Pick<CreateOptions, 'networks' | 'resources'>;

function readLists({ networks, resources }: Pick<CreateOptions, 'networks' | 'resources'>): KeyNarrowing {
  const listIn = (text: string | undefined) => text?.split(',').map((one) => one.trim()) ?? null;
  const unknown = listIn(resources)?.filter((one) => !(KEY_RESOURCES as readonly string[]).includes(one)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`unknown resource "${unknown.join(', ')}": choose from ${KEY_RESOURCES.join(', ')}`);
  return { networks: listIn(networks), resources: listIn(resources) as KeyResource[] | null };
}

function refuseNetworks(): never {
  throw new UsageError('--networks takes addresses or CIDR networks, such as 203.0.113.7,203.0.113.0/24');
}

function readFuture(text: string): Date {
  const date = readInstant(text);
  if (date.getTime() <= Date.now())
    throw new UsageError(`--expires-at ${text} has passed: the key would be expired from the start`);
  return date;
}

function readScopes(list: string): Scope[] {
  const scopes = [...new Set(list.split(',').map((scope) => scope.trim()))];
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new UsageError(`unknown scope "${unknown.join(', ')}": choose from ${SCOPES.join(', ')}`);
  return scopes as Scope[];
}
