import type { ParseArgsConfig } from 'node:util';
import { certifyClientCommand } from './certify/certify-client-command.ts';
import { certifyCommand } from './certify/certify-command.ts';
import { resendCommand } from './events-resend.ts';
import { listenCommand } from './listen/listen-command.ts';
import { logsCommand } from './logs.ts';
import type { Options } from './settings.ts';
import { triggerCommand } from './trigger.ts';

export interface Command {
  /** The words that select it, such as `events resend`. */
  name: string;
  /** Words after its name, such as `<event>`. */
  positionals: readonly string[];
  summary: string;
  details?: string;
  options: readonly CommandOption[];
  /** Runs as it is written, after the package's name. */
  example: string;
  needsApi: boolean;
  run(call: { options: Options; positionals: string[]; signal: AbortSignal }): Promise<number>;
}

export interface CommandOption {
  name: string;
  /** The placeholder of its value; absent for a switch. */
  value?: string;
  description: string;
}

export const COMMANDS: readonly Command[] = [
  listenCommand,
  logsCommand,
  triggerCommand,
  resendCommand,
  certifyClientCommand,
  certifyCommand,
];

const CONNECTION: readonly CommandOption[] = [
  { name: 'url', value: 'URL', description: 'address of the service (NAVETTE_URL)' },
  {
    name: 'key',
    value: 'KEY',
    description: 'API key (NAVETTE_API_KEY); prefer the variable, which `ps` does not show',
  },
  { name: 'client-id', value: 'ID', description: 'client id (NAVETTE_CLIENT_ID)' },
];
const COMMON: readonly CommandOption[] = [{ name: 'help', description: 'show this help' }];

const optionsOf = ({ options, needsApi }: Command) => [...options, ...(needsApi ? CONNECTION : []), ...COMMON];

export const parserOf = (command: Command): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(optionsOf(command).map(({ name, value }) => [name, { type: value ? 'string' : 'boolean' }]));

export function helpOf(command: Command): string {
  const { name, positionals, summary, details, example } = command;
  const rows = optionsOf(command).map(({ name, value, description }) => [
    `--${name}${value ? ` ${value}` : ''}`,
    description,
  ]);
  const width = Math.max(...rows.map(([flag = '']) => flag.length));
  return [
    `Usage: npx @navette/cli ${[name, ...positionals].join(' ')} [options]`,
    `${summary}${details ? `\n${details}` : ''}`,
    `Options:\n${rows.map(([flag = '', text]) => `  ${flag.padEnd(width)}  ${text}`).join('\n')}`,
    `Example:\n  npx @navette/cli ${example}`,
  ].join('\n\n');
}

export function overview(): string {
  const titles = COMMANDS.map(({ name, positionals }) => [name, ...positionals].join(' '));
  const width = Math.max(...titles.map((title) => title.length));
  const rows = COMMANDS.map(({ summary }, i) => `  ${titles[i]?.padEnd(width)}  ${summary}`);
  return [
    'Usage: npx @navette/cli <command> [options]',
    `Commands:\n${rows.join('\n')}`,
    'Set NAVETTE_URL, NAVETTE_API_KEY and NAVETTE_CLIENT_ID; the dashboard shows them under "API keys".\n--help after a command describes it.',
    'Example:\n  npx @navette/cli listen --forward-to localhost:4000/navette',
  ].join('\n\n');
}
