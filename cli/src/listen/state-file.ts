import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';

/** The data that a listener keeps between two runs. */
export interface ListenState {
  /** The last acknowledged event. */
  cursor: string;
  /** The same for every run, so that the receiver is configured once. */
  secret: string;
}

/** One file per service, account and target: listeners with different targets do not take events from each other. */
export function defaultStatePath(url: string, clientId: string, target: string): string {
  const name = createHash('sha256').update([url, clientId, target].join('\n')).digest('hex').slice(0, 16);
  return join(homedir(), '.navette', `listen-${name}.json`);
}

export async function readState(path: string): Promise<ListenState | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Failure(
      `${path} cannot be read (${(error as Error).message}). Correct its permissions, or choose another file with --state.`,
    );
  }
  try {
    const { cursor, secret } = JSON.parse(text) as ListenState;
    if (typeof cursor === 'string' && typeof secret === 'string') return { cursor, secret };
  } catch {}
  throw new Failure(`${path} is not a state file of listen. Delete it, and start with --since to receive past events.`);
}

/** Replaces the file in one step: a reader finds the old or the new content, whenever this process is killed. */
export async function writeState(path: string, state: ListenState): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(draft, 'w', 0o600); // it holds the secret
  try {
    await file.writeFile(JSON.stringify(state));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
