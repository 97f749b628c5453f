import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from '../../server/test/compile-cache.ts';
import type { TestAccount, TestServer } from '../../server/test/test-server.ts';

const PROGRAM = join(import.meta.dirname, '../src/navette-cli.ts');

export interface CliProcess {
  process: ChildProcess;
  /** Lines of the standard output so far. */
  lines: string[];
  errors: () => string;
  exited: Promise<number | null>;
}

/** The variables with which a merchant's developer runs the command. */
export const environmentOf = ({ url }: Pick<TestServer, 'url'>, { key, clientId }: TestAccount) => ({
  NAVETTE_URL: url,
  NAVETTE_API_KEY: key,
  NAVETTE_CLIENT_ID: clientId,
});

export function startCli(args: string[], environment: Record<string, string> = {}, program = PROGRAM): CliProcess {
  const own = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...COMPILE_CACHE };
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    env: { ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.on('data', (part: Buffer) => errors.push(part.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, lines, errors: () => errors.join(''), exited };
}

/** Runs a command to its end. */
export async function runCli(args: string[], environment: Record<string, string> = {}, program = PROGRAM) {
  const { exited, lines, errors } = startCli(args, environment, program);
  return { code: await exited, stdout: lines.join('\n'), stderr: errors() };
}
