import { hash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'; // 32 characters, none that is misread for another
const LENGTH = 16; // 80 bits: too many to try against a stolen hash

const newCode = () => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
const asRead = (code: string) => code.match(/.{4}/g)?.join('-') ?? code;

/** Bound to the member, so that equal codes would have unequal hashes. Typed with or without dashes. */
const hashOf = (memberId: string, code: string) =>
  Buffer.from(hash('sha256', `${memberId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`, 'hex'), 'hex');

/** New ones in place of all there were; returned this once and kept hashed. */
export async function replaceRecoveryCodes(tx: Tx, memberId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await tx.deleteFrom('member_recovery_codes').where('member_id', '=', memberId).execute();
  await tx
    .insertInto('member_recovery_codes')
    .values(codes.map((code) => ({ member_id: memberId, code_hash: hashOf(memberId, code) })))
    .execute();
  return codes.map(asRead);
}

/** True for one of them, once. */
export async function takeRecoveryCode(db: Database | Tx, memberId: string, code: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('member_recovery_codes')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('code_hash', '=', hashOf(memberId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
