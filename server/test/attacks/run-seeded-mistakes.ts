/**
 * `npm run attack:mistakes [-- part of a name]`: makes each seeded mistake in a copy of the project and expects the attack
 * meant for it to fail there. The project itself is not touched.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { catchMistakes } from '../mistakes.ts';
import { type AttackMistake, MISTAKES } from './seeded-mistakes.ts';

/** The attack, when it fails in the copy. */
async function detect(copy: string, { caughtBy }: AttackMistake): Promise<string | null> {
  try {
    const attack = `server/test/attacks/${caughtBy}`;
    await promisify(execFile)('npx', ['vitest', 'run', attack], { cwd: copy, maxBuffer: 2 ** 26 });
    return null;
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    // A file that cannot be loaded, or a server that does not start, proves nothing: a test itself has to fail.
    if (!/Tests .*\d+ failed/.test(stdout)) throw new Error(`${caughtBy} could not run:\n${stdout}`);
    return caughtBy;
  }
}

await catchMistakes(MISTAKES, detect);
