import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startInBackground } from './background.ts';
import { API_KEY, CLIENT_ID, DEFAULT_PORT, WEBHOOK_SECRET } from './fixed-values.ts';
import { PACKAGE_ROOT } from './package-root.ts';
import { BadSeeds, readSeeds, type Seeds } from './seeds.ts';

const HELP = `The Navette service on this machine, for tests: no Docker, no account, no network.

Usage:
  navette-emulator [start]   run it until Ctrl+C or SIGTERM
  navette-emulator reset     bring it back to its state after the start
  navette-emulator messages  print the SMS and e-mails that it would have sent
  navette-emulator stop      stop one that runs in the background

Options:
  --port <port>       port of the API; ${DEFAULT_PORT} by default, and 0 for a free one
  --host <address>    address to listen on; 127.0.0.1 by default
  --webhook <url>     send all events to this address, signed with the fixed secret
  --robots <seconds>  robot couriers deliver every shipment by themselves, one step every so many seconds
  --seed <file>       JSON with account, courier, webhooks and shipments to start with
  --background        return when it is ready, and leave it running
  --json              print one line of JSON instead of text
  --verbose           print the service's log
  --version, --help
`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  webhook: { type: 'string' },
  robots: { type: 'string' },
  seed: { type: 'string' },
  background: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof readOptions>['values'];

function readOptions() {
  return parseArgs({ options: OPTIONS, allowPositionals: true });
}

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = readOptions();
  if (values.help) return print(HELP);
  if (values.version) return print(`${readVersion()}\n`);
  const [command = 'start', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`unexpected: ${rest.join(' ')}`);
  switch (command) {
    case 'start':
      return values.background ? startInBackground(process.argv.slice(2)) : start(values);
    case 'reset':
      return print(`reset in ${Number((await call(values, 'POST', 'reset')).milliseconds)} ms\n`);
    case 'stop':
      await call(values, 'POST', 'stop');
      return;
    case 'messages':
      return print(`${JSON.stringify((await call(values, 'GET', 'messages')).messages, null, 2)}\n`);
    default:
      throw new UsageError(`unknown command: ${command}`);
  }
}

async function start(options: Options): Promise<void> {
  const { runEmulator } = await import('./run-emulator.ts');
  const signals = new Promise<number>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve(0));
    ends.resolve = resolve;
  });
  const emulator = await runEmulator({
    host: options.host,
    port: portOf(options),
    seeds: seedsOf(options),
    logLevel: options.verbose ? 'info' : 'warn',
    onEnd: (reason) => ends.resolve(reason === 'asked' ? 0 : 1),
  });
  print(options.json ? `${JSON.stringify(facts(emulator.url))}\n` : describe(emulator.url));
  const code = await signals;
  if (code !== 0) process.stderr.write('navette-emulator: PostgreSQL has ended\n');
  await emulator.stop();
  process.exit(code);
}

const ends: { resolve: (code: number) => void } = { resolve: () => {} };

function facts(url: string) {
  return { url, apiKey: API_KEY, clientId: CLIENT_ID, webhookSecret: WEBHOOK_SECRET, pid: process.pid };
}

function describe(url: string): string {
  return `Navette emulator ${readVersion()}, ready after ${(performance.now() / 1000).toFixed(1)} s

  URL             ${url}
  API key         ${API_KEY}
  client id       ${CLIENT_ID}
  webhook secret  ${WEBHOOK_SECRET} (of --webhook)
  reference       ${url}/docs

\`navette-emulator reset\` empties it. Ctrl+C stops it.
`;
}

function portOf({ port = String(DEFAULT_PORT) }: Pick<Options, 'port'>): number {
  const number = Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new UsageError(`--port ${port}: not a port`);
  return number;
}

function seedsOf({ seed, webhook, robots }: Options): Seeds {
  const seeds = seed === undefined ? {} : readSeeds(seed);
  return {
    ...seeds,
    ...(robots === undefined ? {} : { courier: { mode: 'auto', secondsPerStep: Number(robots) } }),
    webhooks: [...(webhook === undefined ? [] : [{ url: webhook }]), ...(seeds.webhooks ?? [])],
  };
}

async function call(options: Options, method: string, path: string): Promise<Record<string, unknown>> {
  const url = `http://${options.host}:${portOf(options)}/emulator/${path}`;
  const response = await fetch(url, { method }).catch(() => null);
  if (!response) throw new Error(`no emulator answers at ${url}: name its --port`);
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

function readVersion(): string {
  return (JSON.parse(readFileSync(`${PACKAGE_ROOT}package.json`, 'utf8')) as { version: string }).version;
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Errors of the caller are one line; anything else is a defect, or a system that lacks something. */
function isUsage(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return error instanceof UsageError || error instanceof BadSeeds || code.startsWith('ERR_PARSE_ARGS');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`navette-emulator: ${(error as Error).message}\n`);
  process.exit(isUsage(error) ? 2 : 1);
}
