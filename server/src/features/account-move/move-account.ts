import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createDatabase, createPool } from '../../database/database.ts';
import { giveWay } from '../../database/give-way.ts';
import { addPartitions } from '../../database/partitions.ts';
import { abandon } from './abandon.ts';
import { checkMove } from './check-move.ts';
import { compare } from './compare.ts';
import { copyRest } from './copy-rest.ts';
import { describe, drain, findUnderWay } from './drain.ts';
import { describeAtWork, findAtWork } from './drivers-at-work.ts';
import { endPendingWork, readPlace, serveAtTarget, takeJobs } from './flip.ts';
import { guardTables, unguardTables } from './guard-tables.ts';
import { inTransaction, lockMove, type Move, MoveRefused, type MoveRequest, withConnections } from './move.ts';
import {
  findTwin,
  idsOf,
  type MoveState,
  readState,
  recordFlip,
  recordStart,
  recordStep,
  serveElsewhere,
} from './move-state.ts';
import { catchUp, endCopy, startCopy, waitForCopy } from './replicate.ts';

const AT_WORK_POLL_MS = 5_000;
const FREEZE_ATTEMPTS = 5;

export interface MoveResult {
  rows: number;
  jobs: number;
  /** From the moment at which requests of the account were refused until the target serves them. */
  frozenSeconds: number;
}

/**
 * Moves an account and its test twin to another cell. The row in `account_moves` at the source says how far it is, so that
 * the same call continues after a kill.
 *
 * 1. `copying`: the large tables are copied and follow, while the account works. Triggers guard the copy.
 * 2. `frozen`: requests get a 503, jobs under way end, triggers refuse changes at the source; the rest is copied, and both
 *    sides are compared.
 * 3. `flipping`: waiting jobs are in neither queue; the target takes them and serves the account; routers follow.
 * 4. `moved`: the source keeps its rows, which nothing can change, until `forgetAccount`.
 *
 * A failure before `flipping` undoes everything; from there on the move only goes forward.
 */
export function moveAccount(request: MoveRequest): Promise<MoveResult> {
  return withConnections(request, async (from, to) => {
    await lockMove([from, to], request.accountId);
    const known = await readState(from, request.accountId);
    if (known && known.target !== request.target.name)
      throw new MoveRefused(`a move of the account to ${known.target} is unfinished`);
    const twinId = known ? known.twinId : await findTwin(from, request.accountId);
    const move = { ...request, from, to, ids: idsOf({ accountId: request.accountId, twinId }) };
    if (!known) await begin(move);
    return finish(move, known ?? { step: 'copying' });
  });
}

/** Undoes an unfinished move, for example one whose command was killed. */
export function abandonMove(request: MoveRequest): Promise<void> {
  return withConnections(request, async (from, to) => {
    await lockMove([from, to], request.accountId);
    await undo(request, from, to);
  });
}

async function undo(request: MoveRequest, from: pg.Client, to: pg.Client): Promise<void> {
  const known = await readState(from, request.accountId);
  if (!known) throw new MoveRefused('no move of the account is under way');
  if (known.step === 'flipping' || known.step === 'moved')
    throw new MoveRefused('the account has been handed over: run the move again to complete it');
  await abandon({ ...request, from, to, ids: idsOf(known) });
}

async function begin(move: Move): Promise<void> {
  const { from, accountId, target, directory, onProgress, wait } = move;
  onProgress({ step: 'prepare', detail: 'checking both cells, and values that must be unique' });
  await checkMove(move);
  const atWork = await findAtWork(from, accountId);
  if (atWork.length > 0 && !wait)
    throw new MoveRefused(`drivers of the source are at work: ${describeAtWork(atWork)}. --wait waits for them`);
  await directory.begin(accountId, target.name);
  await recordStart(from, accountId, target.name);
}

async function finish(move: Move, { step }: Pick<MoveState, 'step'>): Promise<MoveResult> {
  const { from, accountId } = move;
  if (step === 'abandoning') {
    await abandon(move);
    throw new MoveRefused('an earlier move had failed and is undone now: run the command again to begin another');
  }
  let rows = 0;
  if (step === 'copying' || step === 'frozen') {
    try {
      if (step === 'copying') await copy(move);
      rows = await freezeAndCompare(move);
      move.onProgress({ step: 'flip', detail: 'handing the account over' });
      await takeJobs(move);
    } catch (error) {
      await abandonAfter(move, error);
      throw error;
    }
  }
  if (step !== 'moved') await handOver(move);
  await cleanUp(move);
  const { rows: times } = await from.query<{ seconds: number; jobs: number }>(
    `select extract(epoch from flipped_at - frozen_at)::float8 as seconds, jsonb_array_length(jobs) as jobs
     from account_moves where account_id = $1`,
    [accountId],
  );
  const { seconds = 0, jobs = 0 } = times[0] ?? {};
  move.onProgress({ step: 'done', detail: `frozen for ${seconds.toFixed(1)} s` });
  return { rows, jobs, frozenSeconds: seconds };
}

/** On connections of its own: the failure may be that one was lost. */
async function abandonAfter(move: Move, cause: unknown): Promise<void> {
  try {
    await withConnections(move, (from, to) => undo(move, from, to)); // this command still has the lock
  } catch (error) {
    throw new MoveRefused(
      `${messageOf(cause)}\nUndoing the move failed as well (${messageOf(error)}). Until the command is run again, with ` +
        '--abandon to undo it, the account may be frozen',
      { cause },
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function copy(move: Move): Promise<void> {
  const { from, to, accountId, ids, target, onProgress } = move;
  onProgress({ step: 'prepare', detail: 'guarding the tables of the target' });
  await unguardTables(from, accountId); // of a freeze that was interrupted: their list of members may be old
  await guardTables(to, accountId, ids);
  const pool = createPool({ databaseUrl: target.url, size: 1 });
  const db = createDatabase(pool);
  try {
    await addPartitions(db, new Date());
  } finally {
    await db.destroy();
  }
  await startCopy(move);
  await waitForCopy(move);
  await catchUp(move);
}

/** Freezes when no driver is at work, and begins again when one was just before the freeze. */
async function freezeAndCompare(move: Move): Promise<number> {
  const { from, to, accountId, ids, target, onProgress } = move;
  for (let attempt = 1; ; attempt++) {
    await waitForDrivers(move);
    onProgress({ step: 'freeze', detail: 'requests of the account get a 503' });
    if ((await findTwin(from, accountId)) !== (ids[1] ?? null))
      throw new MoveRefused('the account got a test twin meanwhile: run the move again');
    await giveWay(() =>
      inTransaction(from, async () => {
        await recordStep(from, accountId, 'frozen');
        await serveElsewhere(from, ids, target.name);
      }),
    );
    await drain(move);
    onProgress({ step: 'guard', detail: 'refusing changes at the source' });
    await guardTables(from, accountId, ids);
    const [atWork, underWay] = [await findAtWork(from, accountId), await findUnderWay(from, ids)];
    if (atWork.length === 0 && underWay.length === 0) break;
    if (attempt === FREEZE_ATTEMPTS)
      throw new MoveRefused(`the account does not come to rest: ${describeAtWork(atWork)} ${describe(underWay)}`);
    await thaw(move);
  }
  onProgress({ step: 'catch-up', detail: 'applying the last changes' });
  await catchUp(move);
  onProgress({ step: 'copy-rest', detail: 'copying the small tables' });
  await copyRest(move);
  await guardTables(to, accountId, ids); // members and robots are known only now
  return compare(move);
}

async function waitForDrivers({ from, accountId, wait, onProgress }: Move): Promise<void> {
  for (;;) {
    const atWork = await findAtWork(from, accountId);
    if (atWork.length === 0) return;
    if (!wait) throw new MoveRefused(`drivers of the source are at work: ${describeAtWork(atWork)}`);
    onProgress({ step: 'wait', detail: describeAtWork(atWork) });
    await sleep(AT_WORK_POLL_MS);
  }
}

async function thaw({ from, accountId, ids, onProgress }: Move): Promise<void> {
  onProgress({ step: 'wait', detail: 'a driver or a job began just before the freeze: serving the account again' });
  await inTransaction(
    from,
    async () => {
      await recordStep(from, accountId, 'copying');
      await serveElsewhere(from, ids, null);
    },
    { asReplica: true },
  );
  await unguardTables(from, accountId);
}

async function handOver(move: Move): Promise<void> {
  const { from, accountId, directory, onProgress } = move;
  await endCopy(move); // before the target changes rows, and before the source ends the work that has gone
  await serveAtTarget(move);
  onProgress({ step: 'settle', detail: 'the target serves the account' });
  await directory.settle(accountId, await readPlace(move));
  await recordFlip(from, accountId);
  await endPendingWork(move);
}

async function cleanUp(move: Move): Promise<void> {
  const { to, accountId, onProgress } = move;
  onProgress({ step: 'clean-up', detail: 'removing the guards of the target' });
  await unguardTables(to, accountId);
}
