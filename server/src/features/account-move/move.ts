import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SettledPlace } from '../../cells/directory.ts';
import { connectionOptions } from '../../database/database.ts';
import { LOCK_TIMEOUT_MS } from '../../database/give-way.ts';

export interface CellDatabase {
  name: string;
  /** A direct connection as a superuser: subscriptions and copies without triggers need it. */
  url: string;
}

/** The record of which cell serves which account. Each function may be repeated, by a command that was killed. */
export interface MoveDirectory {
  /** Records that the account is being moved; refuses when a move of it to another cell is recorded. */
  begin(accountId: string, to: string): Promise<void>;
  /** Routers send the account to the new cell. */
  settle(accountId: string, place: SettledPlace): Promise<void>;
  /** Forgets the move. */
  abandon(accountId: string): Promise<void>;
}

export interface MoveRequest {
  accountId: string;
  source: CellDatabase & {
    /** The address of the source as the target's server reaches it, if it is another one. */
    urlForTarget?: string | undefined;
  };
  target: CellDatabase;
  directory: MoveDirectory;
  /** Waits until no driver has a shipment of the account, instead of refusing. */
  wait: boolean;
  /** How long the jobs of the account may take to end while it is frozen. */
  drainSeconds: number;
  onProgress: (progress: MoveProgress) => void;
}

export type MoveStep =
  | 'prepare'
  | 'copy'
  | 'wait'
  | 'freeze'
  | 'drain'
  | 'guard'
  | 'catch-up'
  | 'copy-rest'
  | 'compare'
  | 'flip'
  | 'settle'
  | 'clean-up'
  | 'done'
  | 'abandon';

export interface MoveProgress {
  step: MoveStep;
  detail: string;
}

/** A move that is under way, with a connection to each database. */
export interface Move extends MoveRequest {
  from: pg.Client;
  to: pg.Client;
  /** The account, and its test twin if it has one. */
  ids: string[];
}

/** The reason for which a move cannot begin or go on; the databases are as before it. */
export class MoveRefused extends Error {}

/** Values as text must not depend on settings of the servers: they are copied and compared as text. */
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'extra_float_digits=1',
  'bytea_output=hex',
  `lock_timeout=${LOCK_TIMEOUT_MS}`,
  'deadlock_timeout=100', // after this time of waiting for its lock, PostgreSQL cancels an autovacuum
];

export async function connect({ url }: CellDatabase): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'navette-account-move',
    options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
    ...connectionOptions(),
  });
  client.on('error', () => {}); // the next statement rejects
  await client.connect();
  return client;
}

export async function withConnections<T>(
  { source, target }: Pick<MoveRequest, 'source' | 'target'>,
  use: (from: pg.Client, to: pg.Client) => Promise<T>,
): Promise<T> {
  const from = await connect(source);
  try {
    const to = await connect(target);
    try {
      return await use(from, to);
    } finally {
      await to.end();
    }
  } finally {
    await from.end();
  }
}

const MOVE_LOCK = 7_261_937; // any number that no other advisory lock of this database uses
const LOCK_RETRY_MS = 200;
const LOCK_WAIT_MS = 60_000;

/** One command at a time. Statements of a killed one may still run for a while, on either side, and have its lock. */
export async function lockMove(sides: pg.Client[], accountId: string): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (const side of sides) {
    for (;;) {
      const { rows } = await side.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as locked',
        [MOVE_LOCK, accountId],
      );
      if (rows[0]?.locked) break;
      if (performance.now() > deadline) throw new MoveRefused('another command is moving the account');
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** Commits what `run` does. `asReplica`: triggers and foreign keys are not checked, as in the copy by replication. */
export async function inTransaction<T>(
  client: pg.Client,
  run: () => Promise<T>,
  { asReplica = false } = {},
): Promise<T> {
  await client.query('begin');
  try {
    if (asReplica) await client.query('set local session_replication_role = replica');
    const result = await run();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection may be gone
    throw error;
  }
}

/** Names of what a move creates in both databases; an account is in one move at a time. */
export const nameOf = (accountId: string): string => `account_move_${accountId.replaceAll('-', '')}`;

export const literals = (values: readonly string[]): string =>
  values.map((value) => pg.escapeLiteral(value)).join(', ');
