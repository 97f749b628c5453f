import { hash, randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import { hashSecretToken, newSecretToken } from '../secrets/secret-token.ts';
import type { People } from './people.ts';

const IDLE_HOURS = 24; // idle timeout
const MOST_LISTED = 50; // more than anyone has browsers
const SEEN_EVERY_SECONDS = 60; // minimum interval between two writes of last_seen_at

export const toBytes = (token: string) => Buffer.from(hashSecretToken(token), 'hex');

/** Derived from the session token: valid for this session only, and one-way. */
export const csrfTokenOf = (sessionToken: string): string => hash('sha256', `csrf:${sessionToken}`, 'base64url');

/** Sessions without activity since this instant have expired. */
export const seenSince = (now: Date) => new Date(now.getTime() - IDLE_HOURS * 3_600_000);

interface NewSession {
  personId: string;
  device: string | null;
  /** Columns that only this table has. */
  more?: Record<string, string | boolean>;
}

/** Creates a session. Returns the token, of which only the hash is stored. */
export async function openSession(
  tx: Tx | Database,
  { sessions, personId: column, sessionSeconds, tokenPurpose }: People,
  { personId, device, more = {} }: NewSession,
  now: Date,
): Promise<string> {
  const token = newSecretToken(tokenPurpose);
  const row = {
    id: randomUUIDv7(),
    [column]: personId,
    token_hash: toBytes(token),
    device,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + sessionSeconds * 1_000),
    ...more,
  };
  await sql`
    insert into ${sql.table(sessions)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(tx);
  return token;
}

/** Ends the session of this token. Ignores an unknown token. */
export async function closeSession(tx: Tx | Database, { sessions }: People, token: string): Promise<void> {
  await sql`delete from ${sql.table(sessions)} where token_hash = ${toBytes(token)}`.execute(tx);
}

/** Gives the session a new token and id, so that requests in flight with the old token are refused. */
export async function renewSession(tx: Tx, { sessions, tokenPurpose }: People, sessionId: string): Promise<string> {
  const token = newSecretToken(tokenPurpose);
  await sql`
    update ${sql.table(sessions)} set id = ${randomUUIDv7()}, token_hash = ${toBytes(token)}
    where id = ${sessionId}`.execute(tx);
  return token;
}

export async function closeOtherSessions(
  tx: Tx,
  { sessions, personId: column }: People,
  personId: string,
  sessionId: string,
): Promise<void> {
  await sql`
    delete from ${sql.table(sessions)} where ${sql.ref(column)} = ${personId} and id <> ${sessionId}`.execute(tx);
}

export async function closeAllSessions(
  tx: Tx | Database,
  { sessions, personId: column }: People,
  personId: string,
): Promise<void> {
  await sql`delete from ${sql.table(sessions)} where ${sql.ref(column)} = ${personId}`.execute(tx);
}

/** Returns false if the person has no such session. */
export async function closeOwnSession(
  db: Database | Tx,
  { sessions, personId: column }: People,
  personId: string,
  sessionId: string,
): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(sessions)} where ${sql.ref(column)} = ${personId} and id = ${sessionId}`.execute(db);
  return numAffectedRows > 0n;
}

interface ListedSession {
  id: string;
  device: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

export async function listSessions(
  db: Database,
  { sessions, personId: column }: People,
  personId: string,
  now: Date,
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, device, created_at as "createdAt", last_seen_at as "lastSeenAt" from ${sql.table(sessions)}
    where ${sql.ref(column)} = ${personId} and expires_at > ${now} and last_seen_at > ${seenSince(now)}
    order by last_seen_at desc limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** Locks the session and checks that it is still open. */
export async function lockOpenSession(
  tx: Tx,
  { people, sessions, personId: column, join }: People,
  { personId, sessionId }: { personId: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select s.id from ${sql.table(sessions)} s join ${sql.table(people)} p on p.id = s.${sql.ref(column)} ${join}
    where s.id = ${sessionId} and s.${sql.ref(column)} = ${personId} and s.expires_at > ${now}
      and s.last_seen_at > ${seenSince(now)}
    for share of s`.execute(tx);
  return rows.length > 0;
}

interface OpenSession {
  sessionId: string;
  expiresAt: Date;
}

/** Finds open sessions by their token. `columns` selects the person from `p` and the tables joined to it, or from `s`. */
export function createSessionFinder<P extends OpenSession>(
  db: Database,
  { people, sessions, personId: column, join }: People,
  columns: RawBuilder<unknown>,
  now: () => Date,
) {
  const read = async (tokens: string[], at: Date) => {
    const { rows } = await sql<P & { tokenHash: Buffer; seenRecently: boolean }>`
      select ${columns}, s.id as "sessionId", s.expires_at as "expiresAt", s.token_hash as "tokenHash",
        s.last_seen_at > ${at}::timestamptz - make_interval(secs => ${SEEN_EVERY_SECONDS}) as "seenRecently"
      from ${sql.table(sessions)} s
      join ${sql.table(people)} p on p.id = s.${sql.ref(column)} ${join}
      where s.token_hash = any(${tokens.map(toBytes)}::bytea[]) and s.expires_at > ${at}
        and s.last_seen_at > ${seenSince(at)}`.execute(db);
    return rows;
  };
  return {
    async find(token: string) {
      const at = now();
      const [found] = await read([token], at);
      if (!found) return null;
      const { seenRecently, tokenHash: _, ...person } = found;
      if (!seenRecently) {
        await sql`update ${sql.table(sessions)} set last_seen_at = ${at}
          where id = ${found.sessionId} and last_seen_at < ${at}`.execute(db);
      }
      return { ...person, csrfToken: csrfTokenOf(token) };
    },
    /** The people of those sessions that are open, by token. One query; it does not count as activity. */
    async findOpen(tokens: string[]): Promise<Map<string, P>> {
      const rows = tokens.length === 0 ? [] : await read(tokens, now());
      const people = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
      return new Map(
        tokens.flatMap((token): [string, P][] => {
          const person = people.get(hashSecretToken(token));
          return person ? [[token, person]] : [];
        }),
      );
    },
  };
}
