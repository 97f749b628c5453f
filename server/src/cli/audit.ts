import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('recompute every invariant of money, events, histories and dispatch, and name the rows that break one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nReads only; safe at any time. Exits with 1 when something is broken.\n\nExample:\n  navette audit',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ pools, config }) => {
        const { auditEverything } = await import('../audit-everything.ts');
        const { createDatabase } = await import('../database/database.ts');
        const db = createDatabase(pools.long);
        const findings = await auditEverything(db, config.timeZone);
        printTable(
          findings.map((finding) => ({ ...finding })),
          ['broken', 'invariant', 'examples'],
          output,
          '',
        );
        const broken = findings.filter((finding) => finding.broken > 0);
        if (broken.length > 0)
          throw new CommandFailure(`broken: ${broken.map((finding) => finding.invariant).join('; ')}`);
      }),
    );
}
