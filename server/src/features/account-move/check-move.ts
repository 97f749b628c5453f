import type pg from 'pg';
import { findCollisions } from './collisions.ts';
import { MOVED_TABLES } from './inventory.ts';
import { type Move, MoveRefused } from './move.ts';

const OLDEST_POSTGRES = 150_000; // the first with row filters of publications
const FREE_SLOTS = 4; // one that follows, one for each table that is copied at the same time, and one to spare

/** Everything that would stop the move later, reported together. Nothing has been changed yet. */
export async function checkMove(move: Move): Promise<void> {
  const problems = [
    ...(await checkServers(move)),
    ...(await checkAccount(move)),
    ...(await checkRemains(move)),
    ...(await checkSeries(move)),
    ...(await findCollisions(move)),
  ];
  if (problems.length > 0) throw new MoveRefused(problems.join('\n'));
}

interface Server {
  id: string;
  version: number;
  isSuperuser: boolean;
  walLevel: string;
  freeSlots: number;
  freeSenders: number;
  schema: string;
}

async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    select (select system_identifier::text from pg_control_system()) || '/' || current_database() as id,
      current_setting('server_version_num')::int as version,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      current_setting('wal_level') as "walLevel",
      current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots)::int as "freeSlots",
      current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication)::int as "freeSenders",
      (select string_agg(name, ',' order by name) from kysely_migration) || ' pg-boss '
        || (select max(version) from pgboss.version) as schema`);
  return rows[0] as Server;
}

async function checkServers({ from, to, source, target }: Move): Promise<string[]> {
  const [left, right] = await Promise.all([readServer(from), readServer(to)]);
  const problems: string[] = [];
  for (const [cell, server] of [
    [source, left],
    [target, right],
  ] as const) {
    if (server.version < OLDEST_POSTGRES) problems.push(`${cell.name}: PostgreSQL 15 or later is needed`);
    if (!server.isSuperuser)
      problems.push(`${cell.name}: the address must name a superuser, who can copy without triggers`);
  }
  if (left.id === right.id) problems.push('source and target are the same database');
  if (left.walLevel !== 'logical')
    problems.push(
      `${source.name}: wal_level is ${left.walLevel}. Set wal_level = logical in postgresql.conf, or with ` +
        '`patronictl edit-config`, and restart PostgreSQL',
    );
  if (left.freeSlots < FREE_SLOTS)
    problems.push(`${source.name}: ${left.freeSlots} replication slots are free; raise max_replication_slots`);
  if (left.freeSenders < FREE_SLOTS)
    problems.push(`${source.name}: ${left.freeSenders} senders are free; raise max_wal_senders`);
  if (left.schema !== right.schema)
    problems.push('the schemas differ: bring both cells to the same release with `navette migrate`');
  return problems;
}

async function checkAccount({ from, accountId }: Move): Promise<string[]> {
  const { rows } = await from.query<{ isTwin: boolean; movedTo: string | null }>(
    'select live_account_id is not null as "isTwin", moved_to as "movedTo" from accounts where id = $1',
    [accountId],
  );
  const [account] = rows;
  if (!account) return [`no account ${accountId} in this cell`];
  if (account.isTwin) return [`${accountId} is a test twin: it moves with its live account`];
  return account.movedTo ? [`${accountId} was moved to ${account.movedTo}`] : [];
}

/** A number that another cell gave would later be taken again, so each series is numbered in one cell. */
async function checkSeries({ from, to, source, target, ids }: Move): Promise<string[]> {
  const { rows } = await from.query<{ series: string; cell: string }>(
    `select series, coalesce(numbered_in, $2) as cell from invoice_series
     where series in (select series from invoices where account_id = any($1))`,
    [ids, source.name],
  );
  const { rows: taken } = await to.query<{ series: string }>(
    `select t.series from invoice_series t join json_to_recordset($1) as s (series text, cell text) using (series)
     where coalesce(t.numbered_in, $2) <> s.cell`,
    [JSON.stringify(rows), target.name],
  );
  return taken.map(({ series }) => `${target.name} numbers invoices in the series ${series} of the account as well`);
}

/** Rows of the account at the target: of a move that somebody else began, or of one in the other direction. */
async function checkRemains({ to, target, ids, accountId }: Move): Promise<string[]> {
  const counts = await to.query<{ name: string }>(
    [...MOVED_TABLES.filter(({ isShared, isKept }) => !isShared && !isKept)]
      .map(({ name, rows }) => `(select '${name}' as name from ${name} t where ${rows} limit 1)`)
      .join(' union all '),
    [ids],
  );
  const { rows: moves } = await to.query('select from account_moves where account_id = $1', [accountId]);
  const names = [...counts.rows.map(({ name }) => name), ...(moves.length > 0 ? ['account_moves'] : [])];
  return names.length === 0
    ? []
    : [
        `${target.name} has rows of the account in ${names.join(', ')}. If it was moved away from there, ` +
          '`navette account move ACCOUNT --forget` deletes them',
      ];
}
