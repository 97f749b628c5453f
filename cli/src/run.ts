import { parseArgs } from 'node:util';
import { COMMANDS, type Command, helpOf, overview, parserOf } from './commands.ts';
import { Failure, wrongCall } from './failure.ts';
import type { Options } from './settings.ts';

/** Runs one command and returns its exit code. */
export async function run(words: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    const command = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));
    if (!command) return explainCall(words);
    const { options, positionals } = parse(command, words.slice(command.name.split(' ').length));
    if (options.help) {
      process.stdout.write(`${helpOf(command)}\n`);
      return 0;
    }
    if (positionals.length !== command.positionals.length) {
      throw wrongCall(
        `${command.name} needs ${command.positionals.join(' ') || 'no further words'}\n\n${helpOf(command)}`,
      );
    }
    return await command.run({ options, positionals, signal });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

function explainCall(words: readonly string[]): number {
  const isHelp = words.length === 0 || words[0] === '--help' || words[0] === 'help';
  if (isHelp) process.stdout.write(`${overview()}\n`);
  else process.stderr.write(`There is no command "${words.join(' ')}".\n\n${overview()}\n`);
  return isHelp ? 0 : 2;
}

function parse(command: Command, args: string[]): { options: Options; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options: parserOf(command), allowPositionals: true });
    return { options: values as Options, positionals };
  } catch (error) {
    throw wrongCall(`${(error as Error).message}\n\n${helpOf(command)}`);
  }
}
