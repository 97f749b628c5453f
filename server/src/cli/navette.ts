#!/usr/bin/env node
import { type Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { UsageError } from './failure.ts';
import { createProgram } from './program.ts';

/** Error codes of the network, and messages of the PostgreSQL client where it gives no code. */
const UNREACHABLE = /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|Connection terminated|timeout expired)/;

const program = createProgram();
overrideExit(program);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader, such as `head`, has closed the pipe
});

try {
  await program.parseAsync();
} catch (error) {
  process.exit(report(error)); // open connections must not keep a failed command running
}

/** Makes every command throw instead of ending the process, so that `report` decides all exit codes. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    overrideExit(child);
  }
}

/** Prints the error and returns the exit code: 2 for wrong usage, 1 for anything else. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  console.error(`navette: ${message || errors?.map((inner) => inner.message).join('; ') || code}`);
  if (UNREACHABLE.test(code ?? message)) console.error('Is it running? `navette doctor` checks every engine.');
  if (code === '3D000' || code === '42P01') console.error('The database is not ready: run `navette migrate`.');
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
