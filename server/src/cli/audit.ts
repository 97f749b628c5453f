import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'check every invariant of money, events, histories, dispatch, personal data and the log of acts; list violating rows',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nSafe at any time: it reads, and records its result for the metrics. The worker does it for some accounts every night. Exits with 1 when a row violates an invariant.\n\nExample:\n  navette audit',
    )
    .action((output: OutputOptions) =>
      withEngines(async ({ pools, config }) => {
        const { runAudit } = await import('../audit/run-audit.ts');
        const { createDatabase } = await import('../database/database.ts');
        const db = createDatabase(pools.long);
        const findings = await runAudit(db, config);
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
