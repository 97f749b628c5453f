import { readFileSync } from 'node:fs';
import { createPool } from '../database/database.ts';
import { createDatabaseIfMissing } from '../database/migrate.ts';
import { hashSecretToken } from '../secrets/secret-token.ts';

export type PersonKind = 'member' | 'driver' | 'staff';

export interface Cell {
  tag: string;
  address: string;
  isFirst: boolean;
  state: 'open' | 'draining';
  keysFingerprint: string;
}

/** A token that a router must not send to the cell that its tag names. */
export interface MovedToken {
  /** SHA-256 in hex. */
  hash: string;
  cell: string;
}

/** With this, routers and sign-ins find an account in its new cell. */
export interface SettledPlace {
  cell: string;
  /** SHA-256 in hex, of keys and sessions whose tag names the old cell. */
  tokenHashes: string[];
  /** SHA-256 in hex, of the e-mail addresses of its members. */
  addressHashes: string[];
}

export type Directory = ReturnType<typeof openDirectory>;

const TIME_LIMIT_MS = 10_000;

/** Connects on first use. */
export function openDirectory(directoryUrl: string, timeLimitMs = TIME_LIMIT_MS) {
  const pool = createPool({
    databaseUrl: directoryUrl,
    size: 2,
    timeLimitMs,
    connectionTimeLimitMs: timeLimitMs,
  });

  return {
    /** Creates the database and its tables where they are missing. */
    async prepare(): Promise<void> {
      await createDatabaseIfMissing(directoryUrl);
      await pool.query(readFileSync(new URL('directory.sql', import.meta.url), 'utf8'));
    },

    async listCells(): Promise<Cell[]> {
      const { rows } = await pool.query<Cell>(
        `select tag, address, is_first as "isFirst", state, keys_fingerprint as "keysFingerprint"
         from cells order by is_first desc, tag`,
      );
      return rows;
    },

    /** The first cell that is added is the one of tokens without a tag. Adding a cell again changes its address. */
    async addCell(cell: Pick<Cell, 'tag' | 'address' | 'keysFingerprint'>): Promise<void> {
      await pool.query(
        `insert into cells (tag, address, keys_fingerprint, state, is_first)
         values ($1, $2, $3, 'open', not exists (select from cells))
         on conflict (tag) do update set address = $2, keys_fingerprint = $3`,
        [cell.tag, cell.address, cell.keysFingerprint],
      );
    },

    async setState(tag: string, state: Cell['state']): Promise<boolean> {
      const { rowCount } = await pool.query('update cells set state = $2 where tag = $1', [tag, state]);
      return rowCount === 1;
    },

    async findCellOf(kind: PersonKind, addressHash: Buffer): Promise<string | null> {
      const { rows } = await pool.query<{ cell: string }>(
        'select cell from sign_in_addresses where kind = $1 and address_hash = $2',
        [kind, addressHash],
      );
      return rows[0]?.cell ?? null;
    },

    /** An address that is in use in another cell stays there: its owner signs in to one of them. */
    async publish(cell: string, kind: PersonKind, addressHash: Buffer): Promise<void> {
      await pool.query(
        `insert into sign_in_addresses (kind, address_hash, cell) values ($1, $2, $3) on conflict do nothing`,
        [kind, addressHash, cell],
      );
    },

    async withdraw(cell: string, kind: PersonKind, addressHash: Buffer): Promise<void> {
      await pool.query('delete from sign_in_addresses where kind = $1 and address_hash = $2 and cell = $3', [
        kind,
        addressHash,
        cell,
      ]);
    },

    async countPeople(): Promise<{ cell: string; people: number }[]> {
      const { rows } = await pool.query<{ cell: string; people: number }>(
        'select cell, count(*) as people from sign_in_addresses group by cell',
      );
      return rows;
    },

    async listMovedTokens(): Promise<MovedToken[]> {
      const { rows } = await pool.query<MovedToken>(
        `select encode(t.token_hash, 'hex') as hash, a.cell
         from moved_tokens t join moved_accounts a using (account_id) where a.cell is not null order by t.token_hash`,
      );
      return rows;
    },

    /** The cell of a token whose account was moved; null for all others. */
    async findMovedCell(token: string): Promise<string | null> {
      const { rows } = await pool.query<{ cell: string }>(
        'select a.cell from moved_tokens t join moved_accounts a using (account_id) where t.token_hash = $1',
        [Buffer.from(hashSecretToken(token), 'hex')],
      );
      return rows[0]?.cell ?? null;
    },

    /** Returns the target of a move that is recorded already, or null: then this one is recorded. */
    async beginMove(accountId: string, to: string): Promise<string | null> {
      const { rows } = await pool.query<{ movingTo: string }>(
        `insert into moved_accounts as m (account_id, moving_to) values ($1, $2)
         on conflict (account_id) do update set moving_to = coalesce(m.moving_to, excluded.moving_to)
         returning moving_to as "movingTo"`,
        [accountId, to],
      );
      const movingTo = rows[0]?.movingTo;
      return movingTo === undefined || movingTo === to ? null : movingTo;
    },

    /** In one statement: routers see the whole move or nothing of it. May be repeated. */
    async settleMove(accountId: string, { cell, tokenHashes, addressHashes }: SettledPlace): Promise<void> {
      await pool.query(
        `with placed as (
           insert into moved_accounts (account_id, cell) values ($1, $2)
           on conflict (account_id) do update set cell = excluded.cell, moving_to = null
         ), addressed as (
           insert into sign_in_addresses (kind, address_hash, cell) select 'member', decode(hash, 'hex'), $2 from unnest($4::text[]) as hash
           on conflict (kind, address_hash) do update set cell = excluded.cell
         )
         insert into moved_tokens (token_hash, account_id) select decode(hash, 'hex'), $1 from unnest($3::text[]) as hash
         on conflict do nothing`,
        [accountId, cell, tokenHashes, addressHashes],
      );
    },

    async abandonMove(accountId: string): Promise<void> {
      await pool.query('update moved_accounts set moving_to = null where account_id = $1', [accountId]);
      await pool.query('delete from moved_accounts where account_id = $1 and cell is null and moving_to is null', [
        accountId,
      ]);
    },

    close: (): Promise<void> => pool.end(),
  };
}
