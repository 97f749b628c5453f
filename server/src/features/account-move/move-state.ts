import type pg from 'pg';
import { MoveRefused } from './move.ts';

export interface MoveState {
  accountId: string;
  twinId: string | null;
  target: string;
  step: 'copying' | 'frozen' | 'flipping' | 'moved' | 'abandoning';
  forgottenAt: Date | null;
}

export const idsOf = ({ accountId, twinId }: Pick<MoveState, 'accountId' | 'twinId'>): string[] =>
  twinId ? [accountId, twinId] : [accountId];

export async function readState(from: pg.Client, accountId: string): Promise<MoveState | undefined> {
  const { rows } = await from.query<MoveState>(
    `select account_id as "accountId", twin_id as "twinId", target, step, forgotten_at as "forgottenAt"
     from account_moves where account_id = $1`,
    [accountId],
  );
  return rows[0];
}

export async function findTwin(from: pg.Client, accountId: string): Promise<string | null> {
  const { rows } = await from.query<{ id: string }>('select id from accounts where live_account_id = $1', [accountId]);
  return rows[0]?.id ?? null;
}

export async function recordStart(from: pg.Client, accountId: string, target: string): Promise<MoveState> {
  const twinId = await findTwin(from, accountId);
  await from.query(`insert into account_moves (account_id, twin_id, target, step) values ($1, $2, $3, 'copying')`, [
    accountId,
    twinId,
    target,
  ]);
  return { accountId, twinId, target, step: 'copying', forgottenAt: null };
}

/** The step from which a killed move continues. */
export async function recordStep(from: pg.Client, accountId: string, step: MoveState['step']): Promise<void> {
  const { rowCount } = await from.query(
    `update account_moves set step = $2,
       frozen_at = case $2 when 'frozen' then coalesce(frozen_at, clock_timestamp()) when 'copying' then null else frozen_at end
     where account_id = $1`,
    [accountId, step],
  );
  if (rowCount !== 1) throw new MoveRefused(`the record of the move of ${accountId} is gone`);
}

/** The end of the freeze. */
export async function recordFlip(from: pg.Client, accountId: string): Promise<void> {
  await from.query(
    'update account_moves set flipped_at = coalesce(flipped_at, clock_timestamp()) where account_id = $1',
    [accountId],
  );
}

/** From this commit on the account is refused in this cell, or served again when `cell` is null. */
export async function serveElsewhere(client: pg.Client, ids: string[], cell: string | null): Promise<void> {
  await client.query('update accounts set moved_to = $2 where id = any($1) and moved_to is distinct from $2', [
    ids,
    cell,
  ]);
}
