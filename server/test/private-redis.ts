import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

export interface PrivateRedis {
  url: string;
  start(): Promise<void>;
  /** Stops the server; connections break and new ones are refused. */
  stop(): Promise<void>;
  /** Deletes everything in it. */
  empty(): Promise<void>;
  /** Connections stay open without responses until the returned function is called. */
  freeze(): () => void;
}

/** A Redis server that a test may stop and start again, always on the same port. */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  let end = async () => {};
  let signal = (_name: NodeJS.Signals) => {};

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve();
      });
    });
    signal = (name) => void child.kill(name);
    end = async () => {
      child.kill();
      await exited;
      end = async () => {};
    };
  }

  await start();
  const url = `redis://127.0.0.1:${port}`;
  return {
    url,
    start,
    stop: () => end(),
    async empty() {
      const redis = new Redis(url);
      await redis.flushall();
      redis.disconnect();
    },
    freeze() {
      signal('SIGSTOP');
      return () => signal('SIGCONT');
    },
  };
}
