import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { checkEngines } from './doctor-checks.ts';
import { CommandFailure } from './failure.ts';
import { type OutputOptions, printTable } from './output.ts';

interface DoctorOptions extends OutputOptions {
  deep?: boolean;
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check that PostgreSQL, Redis and providers are reachable, migrated, and have the same time')
    .option('--deep', 'also write and delete probes, and check backups, replication, queues, audit, secrets and TLS')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExits with 1 when a check fails; a warning does not. Safe at any time: probes are rolled back or deleted, no message is sent.\n\nExamples:\n  navette doctor && navette serve\n  navette doctor --deep',
    )
    .action(async ({ deep, ...output }: DoctorOptions) => {
      const config = readConfig();
      const checks = checkEngines(config);
      if (deep) checks.push(...(await import('./doctor-deep-checks.ts')).checkDeeply(config));
      const findings = await Promise.all(checks);
      const columns = ['check', 'status', 'detail', ...(deep ? ['advice'] : [])];
      printTable(
        findings.map((finding) => ({ ...finding })),
        columns,
        output,
        '',
      );
      const failed = findings.filter(({ status }) => status === 'failed').map(({ check }) => check);
      if (failed.length > 0) throw new CommandFailure(`failed: ${failed.join(', ')}`);
    });
}
