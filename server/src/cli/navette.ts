#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommand } from './audit.ts';
import { addDoctorCommand } from './doctor.ts';
import { addDriverCommands } from './driver.ts';
import { UsageError } from './failure.ts';
import { addKeyCommands } from './key.ts';
import { addMessagesCommand } from './messages.ts';
import { addMigrateCommand } from './migrate.ts';
import { addServeCommand } from './serve.ts';
import { addShipmentCommands } from './shipment.ts';
import { addWebhookCommands } from './webhook.ts';

const program = new Command('navette')
  .description('Navette, the operator’s hands: run the service and look after its accounts')
  .showHelpAfterError('(add --help for usage and examples)')
  .addHelpText(
    'after',
    `
Examples:
  navette migrate && navette serve
  navette account create --input account.json
  navette key create ACCOUNT --name "web shop"

Settings come from the environment; README.md lists them.`,
  );

const commands = [
  addMigrateCommand,
  addServeCommand,
  addDoctorCommand,
  addAccountCommands,
  addKeyCommands,
  addDriverCommands,
  addShipmentCommands,
  addWebhookCommands,
  addAuditCommand,
  addMessagesCommand,
];
for (const add of commands) add(program);
overrideExit(program);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader, such as `head`, has seen enough
});

try {
  await program.parseAsync();
} catch (error) {
  process.exit(report(error)); // engines that were opened meanwhile must not keep a failed command alive
}

/** Lets every (sub)command throw instead of ending the process, so that exit codes are decided in one place. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    overrideExit(child);
  }
}

/** Says what went wrong and returns the exit code: 2 for a wrong call, 1 for anything else. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  console.error(`navette: ${message || errors?.map((inner) => inner.message).join('; ') || code}`);
  if (code === 'ECONNREFUSED') console.error('Is it running? `navette doctor` checks every engine.');
  if (code === '3D000' || code === '42P01') console.error('The database is not ready: run `navette migrate`.');
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
