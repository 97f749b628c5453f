import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { actAtCommandLine } from './operator-context.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

export function addSecretsCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('rotate the keys that encrypt secrets in the database')
    .addHelpText('after', '\nExample:\n  navette secrets re-encrypt');

  secrets
    .command('re-encrypt')
    .description(
      'encrypt webhook secrets and second factors again with the first of WEBHOOK_SECRET_KEYS and SECOND_FACTOR_KEYS',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nPut the new key first, restart every process, run this command, then remove the old key.\nWorks in batches beside the running service; after an interruption, run it again. Exits with 1 when a secret cannot be decrypted.\n\nExample:\n  WEBHOOK_SECRET_KEYS=$NEW,$OLD navette secrets re-encrypt',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ db, config }) => {
        const { createSecretKeeper, resealAnyWebhookSecrets } = await import('../features/webhooks/index.ts');
        const { createSecondFactorSealer } = await import('../identity/consume-code.ts');
        const { resealAnySecondFactors } = await import('../identity/reseal-second-factors.ts');
        const keeper = createSecretKeeper(config.webhookSecretKeys);
        const sealer = createSecondFactorSealer(config.secondFactorKeys);
        const rows = [
          {
            setting: 'WEBHOOK_SECRET_KEYS',
            key: keeper.newestKey,
            ...(await resealAnyWebhookSecrets(db, keeper)),
          },
          {
            setting: 'SECOND_FACTOR_KEYS',
            key: sealer.newestKey,
            ...(await resealAnySecondFactors(db, sealer)),
          },
        ];
        const details = Object.fromEntries(rows.map(({ setting, reencrypted }) => [setting, reencrypted]));
        await actAtCommandLine(db, async () => ({ result: null, act: { act: 'secrets.re_encrypted', details } }));
        printTable(rows, ['setting', 'key', 'reencrypted', 'unreadable'], output, '');
        const missing = rows.filter(({ unreadable }) => unreadable > 0).map(({ setting }) => setting);
        if (missing.length > 0) {
          throw new CommandFailure(
            `secrets whose key is missing were left unchanged: add the old key to ${missing.join(' and ')}`,
          );
        }
      }),
    );
}
