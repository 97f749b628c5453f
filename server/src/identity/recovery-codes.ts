import { hash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../database/database.ts';
import type { People } from './people.ts';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'; // 32 characters that are not mistaken for each other
const LENGTH = 16; // 80 bits: brute force of a stolen hash is infeasible

const newCode = () => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
const inGroups = (code: string) => code.match(/.{4}/g)?.join('-') ?? code;

/** Salted with the person's id. Ignores dashes and case. */
const hashOf = (personId: string, code: string) =>
  Buffer.from(hash('sha256', `${personId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`, 'hex'), 'hex');

/** Replaces all recovery codes. Returns the new ones, of which only hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, people: People, personId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await deleteRecoveryCodes(tx, people, personId);
  await sql`
    insert into ${sql.table(people.recoveryCodes)} (${sql.ref(people.personId)}, code_hash)
    select ${personId}, unnest(${codes.map((code) => hashOf(personId, code))}::bytea[])`.execute(tx);
  return codes.map(inGroups);
}

export async function deleteRecoveryCodes(tx: Tx, people: People, personId: string): Promise<void> {
  await sql`delete from ${sql.table(people.recoveryCodes)} where ${sql.ref(people.personId)} = ${personId}`.execute(tx);
}

/** Returns true once for each code. */
export async function consumeRecoveryCode(
  db: Database | Tx,
  people: People,
  personId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(people.recoveryCodes)} set used_at = ${now}
    where ${sql.ref(people.personId)} = ${personId} and code_hash = ${hashOf(personId, code)} and used_at is null`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
