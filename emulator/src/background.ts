import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRunFolder, setOwner } from './postgres/run-folders.ts';

/** Starts the same command as a process of its own, and returns when that is ready. */
export async function startInBackground(args: string[]): Promise<void> {
  const folder = await createRunFolder();
  const log = join(folder, 'log');
  const file = openSync(log, 'w');
  const rest = args.filter((arg) => arg !== '--background');
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...rest], {
    stdio: ['ignore', 'pipe', file],
    detached: true,
  });
  closeSync(file);
  if (child.pid) await setOwner(folder, child.pid);
  const output = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
      if (text.endsWith('\n')) resolve(text);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`it did not start:\n${readFileSync(log, 'utf8')}`)));
  });
  child.unref();
  child.stdout?.destroy();
  process.stdout.write(output.replace('Ctrl+C stops it', '`navette-emulator stop` stops it'));
}
