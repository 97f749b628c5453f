import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

const ROOT = new URL('../../../', import.meta.url);
const PAGES = globSync('docs/operators/*.md', { cwd: ROOT });

/** Why a documented command cannot be run; null when it can. */
function problemOf(words: string[]): string | null {
  let command: Command = createProgram();
  for (const word of words) {
    if (word.startsWith('--')) {
      if (!command.options.some(({ long }) => long === word) && word !== '--help' && word !== '--version')
        return `no option ${word}`;
    } else if (command.commands.length > 0) {
      const found = command.commands.find((one) => one.name() === word);
      if (!found) return `no command ${word}`;
      command = found;
    }
  }
  return null;
}

test.each(PAGES)('%s names commands and options that exist', (page) => {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  const commands = [...text.matchAll(/(?:`|^|\s)navette((?: (?:--)?[a-z][a-z-]*(?= |`|$|\n))+)/gm)]
    .map(([, words = '']) => words.trim().split(' '))
    .filter(([first = '']) => createProgram().commands.some((one) => one.name() === first) || first.startsWith('--'));
  expect(commands.map((words) => [words.join(' '), problemOf(words)]).filter(([, problem]) => problem)).toEqual([]);
});

test('the pages name many commands', () => {
  const all = PAGES.map((page) => readFileSync(new URL(page, ROOT), 'utf8')).join('');
  expect(all.match(/`navette [a-z]/g)?.length).toBeGreaterThan(20);
});
