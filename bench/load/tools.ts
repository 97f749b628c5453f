import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 2xx, and failed connections. */
  failures: number;
}

async function temporaryFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'navette-bench-')), name);
  await writeFile(file, text);
  return file;
}

const toMs = (text: string) => Number.parseFloat(text) * (text.endsWith('us') ? 0.001 : text.endsWith('ms') ? 1 : 1000);

/** wrk (Debian's package) with a Lua script that makes the requests; it costs far less than a client in Node. */
export async function wrk(url: string, script: string, seconds: number, connections = 64): Promise<LoadResult> {
  const file = await temporaryFile('load.lua', script);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', file, url];
  const { stdout } = await run('wrk', args, { maxBuffer: 1 << 24 });
  const read = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '0';
  const sockets =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
  return {
    perSecond: Number(read(/Requests\/sec:\s+([\d.]+)/)),
    p50Ms: toMs(read(/^\s+50%\s+(\S+)/m)),
    p99Ms: toMs(read(/^\s+99%\s+(\S+)/m)),
    failures: Number(read(/Non-2xx or 3xx responses: (\d+)/)) + sockets.reduce((sum, count) => sum + count, 0),
  };
}

/** pgbench (comes with PostgreSQL) with prepared statements. */
export async function pgbench(
  databaseUrl: string,
  script: string,
  seconds: number,
  clients: number,
): Promise<LoadResult> {
  const file = await temporaryFile('script.sql', script);
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '1',
    '-T',
    String(seconds),
    '-f',
    file,
    databaseUrl,
  ];
  const { stdout } = await run('pgbench', args, { maxBuffer: 1 << 24 });
  const read = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const average = read(/latency average = ([\d.]+) ms/);
  return {
    perSecond: read(/tps = ([\d.]+)/),
    p50Ms: average,
    p99Ms: Number.NaN, // pgbench reports the average only
    failures: read(/number of failed transactions: (\d+)/),
  };
}

export interface Contest {
  name: string;
  run: () => Promise<LoadResult>;
}

/** Runs both sides in turn, so that other load affects them equally, and prints every round. */
export async function compare(title: string, baseline: Contest, ours: Contest, rounds: number): Promise<number> {
  console.log(`\n${title}`);
  const results: { base: LoadResult; own: LoadResult }[] = [];
  for (let round = 1; round <= rounds; round++) {
    const base = await baseline.run();
    const own = await ours.run();
    results.push({ base, own });
    console.log(
      `  round ${round}: ${baseline.name} ${rate(base)}, ${ours.name} ${rate(own)}, ratio ${(own.perSecond / base.perSecond).toFixed(2)}, ` +
        `p50 ${own.p50Ms.toFixed(1)} ms, p99 ${own.p99Ms.toFixed(1)} ms${own.failures ? `, ${own.failures} FAILURES` : ''}`,
    );
  }
  const total = (side: 'base' | 'own') => results.reduce((sum, result) => sum + result[side].perSecond, 0);
  const ratio = total('own') / total('base');
  console.log(`  ratio over ${rounds} rounds: ${ratio.toFixed(2)}`);
  return ratio;
}

const rate = ({ perSecond }: LoadResult) => `${Math.round(perSecond)}/s`;

/** CPU time of a process so far, all threads together. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100; // user and system time, in clock ticks
}

/** Memory that a process holds at this moment. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
