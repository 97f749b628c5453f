import { writeFile } from 'node:fs/promises';
import type { Options } from '../settings.ts';
import type { Report, Result } from './report.ts';
import { writeHtml } from './write-html.ts';

export const REPORT_OPTIONS = [
  { name: 'html', value: 'FILE', description: 'write the report as one HTML file' },
  { name: 'json', description: 'print the report as JSON' },
] as const;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Prints a result as soon as it is known, unless the report is printed as JSON. */
export function printResult({ id, title, outcome, detail, remedy }: Result, { json }: Options): void {
  if (json === true) return;
  const seen = detail === null ? '' : ` (${detail})`;
  const todo = outcome === 'failed' ? `\n            ${remedy}` : '';
  print(`${outcome.padEnd(10)}  ${title}${seen}  [${id}]${todo}`);
}

/** Returns the exit code. */
export async function finishReport(report: Report, { html, json }: Options): Promise<number> {
  if (typeof html === 'string') await writeFile(html, writeHtml(report));
  const { passed, failed, notJudged } = report.counts;
  print(json === true ? JSON.stringify(report) : `\n${passed} passed, ${failed} failed, ${notJudged} not judged`);
  return report.isCertified ? 0 : 1;
}
