import type { SettledPlace } from '../../cells/directory.ts';
import { describe, findUnderWay, OF_ACCOUNTS } from './drain.ts';
import { inTransaction, type Move, MoveRefused } from './move.ts';
import { recordStep, serveElsewhere } from './move-state.ts';

/**
 * The jobs that wait for their time leave the queues of the source in the transaction after which the move can no longer be
 * abandoned: they exist in one place at any time.
 */
export async function takeJobs({ from, accountId, ids }: Move): Promise<number> {
  return inTransaction(from, async () => {
    const { rows } = await from.query<{ many: number }>(
      `with taken as (
         delete from pgboss.job j where j.state in ('created', 'retry') and ${OF_ACCOUNTS} returning j.*
       ), kept as (
         update account_moves set jobs = (select coalesce(jsonb_agg(to_jsonb(t) || '{"state": "created"}'::jsonb), '[]') from taken t)
         where account_id::text = $2
       )
       select count(*)::int as many from taken`,
      [ids, accountId],
    );
    const underWay = await findUnderWay(from, ids); // a worker may have fetched one just before
    if (underWay.length > 0) throw new MoveRefused(`the account still has ${describe(underWay)}`);
    await recordStep(from, accountId, 'flipping');
    return rows[0]?.many ?? 0;
  });
}

/** The target serves the account, and has its jobs, from this commit on. Does nothing when an earlier run did it. */
export async function serveAtTarget({ from, to, accountId, ids }: Move): Promise<void> {
  const { rows } = await from.query<{ jobs: string }>(
    'select jobs::text as jobs from account_moves where account_id = $1',
    [accountId],
  );
  await inTransaction(to, async () => {
    const { rows: arriving } = await to.query(
      'select from accounts where id = $1 and moved_to is not null for update',
      [accountId],
    );
    if (arriving.length === 0) return;
    await to.query('insert into pgboss.job select * from jsonb_populate_recordset(null::pgboss.job, $1::jsonb)', [
      rows[0]?.jobs ?? '[]',
    ]);
    await to.query('set local session_replication_role = replica'); // the guards refuse the account until this commits
    // Zones are drawn by staff of the source: a search that waited for one has ended, or takes its next step here.
    await to.query('update driver_searches set zone_id = null where account_id = any($1) and zone_id is not null', [
      ids,
    ]);
    await to.query('update accounts set arrived_at = now() where id = any($1)', [ids]);
    await serveElsewhere(to, ids, null);
  });
}

/** Pending work has gone with the account: counts and alarms of the source must not wait for it. Links lead to the target. */
export async function endPendingWork({ from, accountId, ids, target }: Move): Promise<void> {
  await inTransaction(
    from,
    async () => {
      for (const statement of ENDED) await from.query(statement, [ids]);
      await from.query(LINKS, [ids, target.name]);
      await recordStep(from, accountId, 'moved');
    },
    { asReplica: true },
  );
}

const ENDED = [
  `update webhook_deliveries set status = 'cancelled', settled_at = now() where account_id = any($1) and status = 'pending'`,
  `update messages set status = 'dropped' where account_id = any($1) and status = 'pending'`,
  `update driver_offers set answer = 'withdrawn', answered_at = now() where account_id = any($1) and answer is null`,
  `update driver_searches set state = 'stopped', ended_at = now() where account_id = any($1) and ended_at is null`,
];

const LINKS = `
  insert into moved_references (reference_number, cell)
  select reference_number, $2 from every_shipment where account_id = any($1)
  on conflict (reference_number) do update set cell = excluded.cell`;

/** With these, routers send the account's requests to the new cell although their tags name the old one. */
export async function readPlace({ from, ids, target }: Move): Promise<SettledPlace> {
  const { rows } = await from.query<Omit<SettledPlace, 'cell'>>(
    `select array(
         select encode(key_hash, 'hex') from api_keys where account_id = any($1) and revoked_at is null
         union all
         select encode(token_hash, 'hex') from member_sessions where account_id = any($1) and expires_at > now()
         union all
         select encode(token_hash, 'hex') from member_invitations where account_id = any($1)) as "tokenHashes",
       array(select encode(hash_of_address(email), 'hex') from members where account_id = any($1)) as "addressHashes"`,
    [ids],
  );
  return { cell: target.name, ...(rows[0] as Omit<SettledPlace, 'cell'>) };
}
