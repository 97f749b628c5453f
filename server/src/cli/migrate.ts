import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { type OutputOptions, printRecord } from './output.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('create the database if it is missing, bring its tables and queues up to date; safe to repeat')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nSafe to run from many processes at once, and again at any time.\n\nExample:\n  navette migrate',
    )
    .action(async (options: OutputOptions) => {
      const { databaseUrl } = readConfig();
      const { migrateDatabase } = await import('../database/migrate.ts');
      const { installJobs } = await import('../jobs/boss.ts');
      const ran = await migrateDatabase(databaseUrl);
      await installJobs(databaseUrl);
      printRecord({ migrated: ran, status: 'up to date' }, options);
    });
}
