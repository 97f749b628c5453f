import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('create the database if it is missing, then update its tables and queues')
    .option('--plan', 'change nothing: show the statements to run, what each blocks, and roughly for how long')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIdempotent, and safe to run from several processes at once.\nWhile the service runs it gives way to requests, for up to five minutes.\n\nExamples:\n  navette migrate --plan\n  navette migrate',
    )
    .action(async ({ plan, ...options }: OutputOptions & { plan?: boolean }) => {
      const { databaseDirectUrl } = readConfig();
      const { migrateDatabase, planPending } = await import('../database/migrate.ts');
      if (plan) {
        const statements = (await planPending(databaseDirectUrl)).map((statement) => ({ ...statement }));
        const columns = ['migration', 'blocks', 'table', 'rows', 'seconds', 'statement'];
        printTable(statements, columns, options, 'up to date: nothing to run');
        return;
      }
      const { installJobs } = await import('../jobs/boss.ts');
      const ran = await migrateDatabase(databaseDirectUrl);
      await installJobs(databaseDirectUrl);
      printRecord({ migrated: ran, status: 'up to date' }, options);
    });
}
