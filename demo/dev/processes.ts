import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = fileURLToPath(new URL('../../server/src/cli/navette.ts', import.meta.url));
const STOP_WITHIN_MS = 5_000;

type Environment = Record<string, string>;

/** Runs `navette …` to its end and returns its output. */
export async function navette(environment: Environment, ...args: string[]): Promise<string> {
  const options = { env: { ...process.env, ...environment }, maxBuffer: 2 ** 24 };
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], options);
  return stdout;
}

/** Builds the documentation, unless there is a build: the service reads it when it starts. */
export async function buildSite(): Promise<void> {
  if (existsSync(`${ROOT}site/dist/en/index.html`)) return;
  await promisify(execFile)(process.execPath, [`${ROOT}site/build.ts`]);
}

export interface Running {
  /** Ends with an error when the process ends before it is asked to. */
  ended: Promise<never>;
  stop(): Promise<void>;
}

/** Both roles of the service; restarts after a change of any file that it has loaded. */
export const startService = (environment: Environment): Running =>
  start('navette', ['--watch', '--watch-preserve-output', CLI, 'serve'], ROOT, environment);

/** A web app with hot reload. It passes every other path on to the service. */
export function startWebApp(name: 'dashboard' | 'driver' | 'console', port: number, environment: Environment): Running {
  const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));
  const args = [vite, '--host', '127.0.0.1', '--port', String(port), '--strictPort', '--logLevel', 'warn'];
  return start(name, args, `${ROOT}apps/${name}`, environment);
}

function start(name: string, args: string[], cwd: string, environment: Environment): Running {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`[${name}] ${line}`));
  }
  const exited = once(child, 'exit');
  let isStopping = false;
  const ended = exited.then(([code]) => {
    if (isStopping) return new Promise<never>(() => {});
    throw new Error(`${name} ended with ${String(code)}`);
  });
  return {
    ended,
    async stop() {
      isStopping = true;
      await stop(child, exited);
    },
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await exited;
  clearTimeout(impatience);
}
