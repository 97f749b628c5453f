import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Health, ReadHealth } from '../src/observability/health.ts';
import { COMPILE_CACHE } from './compile-cache.ts';

const LAST_LINES = 5; // of the log, shown with a failure
const CLI = fileURLToPath(new URL('../bin/navette.js', import.meta.url));

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `navette …` as an operator does and waits until it exits. */
export function runNavette(args: string[], environment: Record<string, string>, input?: string): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { env: { ...process.env, ...COMPILE_CACHE, ...environment } },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
    child.stdin?.end(input ?? '');
  });
}

/** Starts a command that the test may kill. */
export const spawnNavette = (
  args: string[],
  environment: Record<string, string>,
  stdio: 'ignore' | 'pipe' = 'ignore',
): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...COMPILE_CACHE, ...environment }, stdio });

export interface NavetteProcess {
  url: string;
  /** Address of its operator listener: metrics and health. */
  operatorUrl: string;
  readHealth: ReadHealth;
  process: ChildProcess;
  /** Its exit code, once it has ended; null after a signal. */
  exited: Promise<number | null>;
  logged(): string;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
  /** `kill -9`. Fails if the process had ended by itself. */
  kill(): Promise<void>;
}

/** Starts `navette serve …` and waits until it listens; its operator listener has a free port. The signal kills it. */
export async function startNavette(
  args: string[],
  environment: Record<string, string>,
  signal?: AbortSignal,
): Promise<NavetteProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', ...args], {
    env: { ...process.env, ...COMPILE_CACHE, OPERATOR_PORT: '0', ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
  });
  const lines: string[] = [];
  let operatorUrl = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.on('error', reject); // also after the signal
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const { msg, address } = JSON.parse(line) as { msg: string; address?: string };
      if (msg === 'serving health and metrics' && address) operatorUrl = address;
      if (msg === 'listening' && address) resolve(address);
      if (msg === 'serving') resolve(''); // a worker has no public port
    });
    exited.then(() => reject(new Error(`navette serve ended: ${lines.join('\n')}`)), reject);
  });
  return {
    url,
    operatorUrl,
    readHealth: async () => (await fetch(`${operatorUrl}/readyz`)).json() as Promise<Health>,
    process: child,
    exited,
    logged: () => lines.join('\n'),
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      const code = await exited;
      if (child.signalCode !== 'SIGKILL')
        throw new Error(
          `navette serve had ended by itself (${child.signalCode ?? code}): ${lines.slice(-LAST_LINES).join('\n')}`,
        );
    },
  };
}
