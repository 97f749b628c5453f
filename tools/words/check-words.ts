/**
 * Reads every tracked text file and refuses the words that this project avoids, in names, comments, documents and
 * messages alike. `--counts` prints how many there are per folder instead of each one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findWords } from './find-words.ts';
import { AVOIDED, SKIPPED } from './words.ts';

const isSkipped = (file: string) =>
  SKIPPED.some((skip) => (skip.endsWith('/') ? file.startsWith(skip) : file === skip));

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && !isSkipped(file));

const findings = files.flatMap((file) => findWords(file, textOf(file), AVOIDED));

if (process.argv.includes('--counts')) {
  const folderOf = (file: string) => file.split('/').slice(0, -1).slice(0, 4).join('/') || '.';
  const counts = Object.groupBy(findings, ({ file }) => folderOf(file));
  for (const [folder, found] of Object.entries(counts)) console.log(`${String(found?.length).padStart(5)}  ${folder}`);
} else {
  for (const { file, line, found, use } of findings) console.log(`${file}:${line}  "${found}": write ${use}`);
}
console.log(
  findings.length === 0
    ? `${files.length} files, no avoided word.`
    : `${findings.length} avoided words. docs/writing.md has the rule, tools/words/words.ts the list.`,
);
process.exitCode = findings.length === 0 ? 0 : 1;

/** Empty for binary files and for files deleted but not yet committed. */
function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    return bytes.includes(0) ? '' : bytes.toString('utf8');
  } catch {
    return '';
  }
}
