import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

const ANSWERS_WITHIN_MS = 500;
const SEGMENT_BYTES = 16 * 2 ** 20; // initdb's default

/**
 * Ends a server of PostgreSQL as a power failure does. A killed process leaves what it has written to the operating system; a
 * power failure leaves only what was synchronised: so the rest of the write-ahead log is overwritten with zeros. All processes
 * are stopped before its end is read, so that nothing that was confirmed is lost.
 */
export async function failPower(data: string, url: string): Promise<void> {
  const session = new pg.Client({ connectionString: url });
  session.on('error', () => {}); // its server process is killed
  await session.connect();
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const isOwn = (pid: number) => pid === rows[0]?.pid;

  for (;;) {
    process.kill(postmaster, 'SIGSTOP'); // first: it starts no more of them
    const children = await childrenOf(postmaster);
    const others = children.filter((pid) => !isOwn(pid));
    signal(others, 'SIGSTOP');
    const end = await Promise.race([findSynchronisedEnd(session), setTimeout(ANSWERS_WITHIN_MS, null)]);
    if (end) {
      const all = [postmaster, ...children];
      while (signal(all, 'SIGKILL') > 0) await setTimeout(10); // until all of them have ended
      await eraseFrom(data, end);
      await session.end().catch(() => {});
      return;
    }
    signal([...others, postmaster], 'SIGCONT'); // one of them was stopped while it had a lock
    await setTimeout(10);
  }
}

interface LogEnd {
  file: string;
  offset: number;
}

async function findSynchronisedEnd(session: pg.Client): Promise<LogEnd | null> {
  const { rows } = await session.query<LogEnd>(
    `select pg_walfile_name(lsn + 1) as file, ((lsn - '0/0') % ${SEGMENT_BYTES})::int as offset
     from pg_current_wal_flush_lsn() as lsn`,
  );
  return rows[0] ?? null;
}

async function eraseFrom(data: string, { file, offset }: LogEnd): Promise<void> {
  const segment = await open(join(data, 'pg_wal', file), 'r+').catch(() => null);
  if (!segment) return; // the end of a segment, and the next one has not been written
  await segment.write(Buffer.alloc(SEGMENT_BYTES - offset), 0, SEGMENT_BYTES - offset, offset);
  await segment.close();
}

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

/** Returns the number of processes that still exist. */
function signal(pids: number[], name: NodeJS.Signals): number {
  return pids.filter((pid) => {
    try {
      return process.kill(pid, name);
    } catch {
      return false; // it has ended
    }
  }).length;
}
