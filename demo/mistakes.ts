/**
 * `npm run demo:mistakes [-- part of a name]`: makes each mistake in a copy of the project and expects a day with faults to
 * detect it there, and a day without one to be clean. The project itself is not touched.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { catchMistakes } from '../server/test/mistakes.ts';
import { DAY_MISTAKES } from './mistakes/day-mistakes.ts';

const DAY = ['demo/day.ts', '--faults', '--minutes', '2', '--shipments', '300', '--drivers', '16'];

/** The first violation that a day ends with. */
async function detect(project: string): Promise<string | null> {
  try {
    await promisify(execFile)(process.execPath, DAY, { cwd: project, maxBuffer: 2 ** 26 });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const [, first] = stdout.match(/\d+ violations\n +(.+)/) ?? [];
    if (!first) throw new Error(`the day could not run:\n${stdout}\n${stderr}`); // that proves nothing
    return first;
  }
}

const falseAlarm = await detect(join(import.meta.dirname, '..'));
if (falseAlarm) throw new Error(`a day without a mistake is not clean on this machine: ${falseAlarm}`);
await catchMistakes(DAY_MISTAKES, detect);
