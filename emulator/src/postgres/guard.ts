/**
 * Runs PostgreSQL for the emulator, and ends it when the emulator ends, however that happens: the system then closes the
 * pipe that is this process's standard input. Arguments: a JSON object.
 */
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface GuardTask {
  program: string;
  args: string[];
  /** The user that PostgreSQL runs as. */
  user: { uid: number; gid: number } | null;
  /** Deleted when the emulator is gone. */
  folder: string;
}

const { program, args, user, folder } = JSON.parse(process.argv[2] ?? '') as GuardTask;
const log = openSync(join(folder, 'postgres.log'), 'a');
const postgres = spawn(program, args, { stdio: ['ignore', log, log], cwd: '/', ...user });
let isAbandoned = false;

postgres.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
postgres.once('exit', (code) => {
  if (isAbandoned) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
createInterface({ input: process.stdin })
  .on('line', () => postgres.kill('SIGINT')) // a fast shutdown, which leaves the data clean
  .on('close', () => {
    isAbandoned = true;
    postgres.kill('SIGQUIT');
  });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {}); // the emulator decides
