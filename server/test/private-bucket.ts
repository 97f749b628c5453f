import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PrivateBucket {
  /** Settings of a server that stores its labels here. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** A bucket of a real S3 server that checks signatures. */
export async function startPrivateBucket(): Promise<PrivateBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'navette-bucket-'));
  const program = fileURLToPath(new URL('./bucket-process.js', import.meta.url));
  const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [port] = (await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`the S3 server ended with ${code}`))),
  ])) as [Buffer];
  return {
    environment: {
      LABEL_STORE: `http://127.0.0.1:${String(port).trim()}/labels`,
      S3_ACCESS_KEY_ID: 'S3RVER', // the only key pair that this server accepts
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
