import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Compiling the modules takes half of a short command's time, and every process compiles the same ones.
const CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'navette-test-compile-cache') };
const CLI = fileURLToPath(new URL('../src/cli/navette.ts', import.meta.url));

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `navette …` as an operator would and waits for its end. */
export function runNavette(args: string[], environment: Record<string, string>, input?: string): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { env: { ...process.env, ...CACHE, ...environment } },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
    child.stdin?.end(input ?? '');
  });
}

export interface NavetteProcess {
  url: string;
  process: ChildProcess;
  logged(): string;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `navette serve …` and waits until it listens. */
export async function startNavette(args: string[], environment: Record<string, string>): Promise<NavetteProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', ...args], {
    env: { ...process.env, ...CACHE, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const { msg, address } = JSON.parse(line) as { msg: string; address?: string };
      if (msg === 'listening' && address) resolve(address);
      if (msg === 'serving') resolve(''); // a worker listens nowhere
    });
    void exited.then(() => reject(new Error(`navette serve ended: ${lines.join('\n')}`)));
  });
  return {
    url,
    process: child,
    logged: () => lines.join('\n'),
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}
