/**
 * `npm run demo:mistakes [-- part of a name]`: makes each mistake in a copy of the project and expects a day with faults to
 * name its violation there, and a day without one to be clean. The project itself is not touched.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { catchMistakes } from '../server/test/mistakes.ts';
import { DAY_MISTAKES, type DayMistake } from './mistakes/day-mistakes.ts';

const DAY = ['demo/day.ts', '--faults', '--minutes', '2', '--shipments', '300', '--drivers', '16'];

let day: ChildProcess | null = null;
/** The day takes its engines away, and this process then fails. */
function end(): void {
  if (!day?.kill()) process.exit(130); // between two days
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

/** The violations that a day ends with. */
async function violationsOf(project: string): Promise<string[]> {
  const running = promisify(execFile)(process.execPath, DAY, { cwd: project, maxBuffer: 2 ** 26 });
  day = running.child;
  try {
    await running;
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const [, violations] = stdout.match(/\d+ violations\n(.+)/s) ?? [];
    if (!violations) throw new Error(`the day could not run:\n${stdout}\n${stderr}`); // that proves nothing
    return violations.trim().split(/\n */);
  }
}

const MOST_SHOWN = 5;

/** The violation of the mistake. */
async function detect(project: string, { name, caughtBy }: DayMistake): Promise<string | null> {
  const violations = await violationsOf(project);
  const violation = violations.find((line) => caughtBy.test(line));
  if (!violation)
    console.error(`${name}: not as expected, but\n  ${violations.slice(0, MOST_SHOWN).join('\n  ') || 'clean'}`);
  return violation ?? null;
}

const [falseAlarm] = await violationsOf(join(import.meta.dirname, '..'));
if (falseAlarm) throw new Error(`a day without a mistake is not clean on this machine: ${falseAlarm}`);
await catchMistakes(DAY_MISTAKES, detect);
