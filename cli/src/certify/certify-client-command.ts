import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../failure.ts';
import { environmentWith, type Options, readTestConnection } from '../settings.ts';
import { CLIENT_CHECKS, judgeClient } from './client-checks.ts';
import { CLIENT_FAULTS, startClientProxy } from './client-proxy.ts';
import { finishReport, printResult, REPORT_OPTIONS } from './publish-report.ts';
import { toReport } from './report.ts';

const LONGEST_RUN_MS = 600_000;

export const certifyClientCommand = {
  name: 'certify client',
  positionals: ['<command>'],
  summary: 'Check how your program creates shipments when something goes wrong',
  details: `Runs your command with NAVETTE_URL set to a proxy on this machine, which passes requests on to the test account and lets the\nfirst attempt of ${CLIENT_FAULTS.length} orders fail, each in another way: ${CLIENT_CHECKS.length} checks. The command creates at least ${CLIENT_FAULTS.length} shipments\nand exits. Exit code 0 when no check failed, 1 otherwise.`,
  options: REPORT_OPTIONS,
  example: "certify client 'node create-orders.js' --html report.html",
  needsApi: true,
  async run({
    options,
    positionals: [command = ''],
    signal,
  }: {
    options: Options;
    positionals: string[];
    signal: AbortSignal;
  }) {
    const { url, apiKey, clientId } = readTestConnection(options);
    const proxy = await startClientProxy(url);
    try {
      await runToEnd(command, environmentWith({ url: proxy.url, apiKey, clientId }), signal);
    } finally {
      await proxy.stop();
    }
    const results = judgeClient(proxy.attempts);
    for (const result of results) printResult(result, options);
    return finishReport(toReport('API client', command, results), options);
  },
} as const;

/** Its exit code does not count: an order that is refused may be a failure for it. Its output goes to standard error. */
async function runToEnd(command: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_RUN_MS)]);
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 2, 2], detached: true });
  const end = () => {
    if (child.pid) process.kill(-child.pid, 'SIGTERM'); // the shell and what it started
  };
  ending.addEventListener('abort', end, { once: true });
  await once(child, 'close');
  ending.removeEventListener('abort', end);
  if (ending.aborted) throw new Failure('The command was ended before it had finished: it may take ten minutes.');
}
