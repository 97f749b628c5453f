import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { readId } from './input.ts';
import { noOpenAccount } from './known-account.ts';
import { accountSubject, actAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { withEngines } from './with-engines.ts';

const accounts = () => import('../features/accounts/index.ts');

export function addSandboxCommands(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('manage test twins of accounts, for merchants’ developers')
    .addHelpText(
      'after',
      '\nACCOUNT is the id of the live account, as `navette account list` shows it.\n\nExample:\n  navette sandbox create ACCOUNT',
    );

  sandbox
    .command('create <account>')
    .description('create the test twin of an account if it has none, and a key that is printed only once')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette sandbox create ACCOUNT')
    .action(async (accountId: string, output: OutputOptions) => {
      const liveId = readId(accountId);
      await withEngines(async ({ db }) => {
        const { findOrCreateTwin, readAccount } = await accounts();
        const { createKey } = await import('../features/api-keys/index.ts');
        const subject = await accountSubject(db, liveId);
        const created = await actAtCommandLine(db, async (joined) => {
          const twin = await joined.transaction().execute((tx) => findOrCreateTwin(tx, liveId));
          if (!twin) throw noOpenAccount(liveId);
          const key = await createKey(joined, twin.id, {
            name: 'sandbox',
            scopes: ['read', 'write', 'delete'],
            expiresAt: null,
          });
          if (key.outcome !== 'created') throw new CommandFailure('the test twin has too many active keys: revoke one');
          const account = await readAccount(joined, twin.id);
          const result = { account: twin.id, clientId: account?.clientId ?? '', key: key.key };
          const details = { twin: twin.id, key: key.id, isNew: twin.isNew };
          return { result, act: { act: 'sandbox.created', subject, details } };
        });
        printRecord(created, output);
        if (!output.json) console.log('\nSave the key now: only its hash is stored, so it cannot be shown again.');
      });
    });

  sandbox
    .command('empty <account>')
    .description('delete everything that happened in the test twin of an account; keys and webhooks stay')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette sandbox empty ACCOUNT')
    .action(async (accountId: string, output: OutputOptions) => {
      const liveId = readId(accountId);
      await withEngines(async ({ db }) => {
        const { findTwin } = await accounts();
        const { emptyTwin } = await import('../features/test-mode/index.ts');
        const subject = await accountSubject(db, liveId);
        const shipments = await actAtCommandLine(db, async (joined) => {
          const twin = await joined.transaction().execute((tx) => findTwin(tx, liveId));
          const result = twin && (await emptyTwin(joined, twin, new Date()));
          if (result === null) throw new CommandFailure(`account ${liveId} has no test twin`);
          return { result, act: { act: 'sandbox.emptied', subject, details: { shipments: result } } };
        });
        printRecord({ deletedShipments: shipments }, output);
      });
    });
}
