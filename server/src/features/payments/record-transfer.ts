import { randomUUIDv7 } from 'node:crypto';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { parseAccountReference } from './account-reference.ts';
import { moveMoney } from './move-money.ts';

export interface ReceivedTransfer {
  accountId: string;
  amountCents: number;
  /** The bank's own id. Spaces and case do not matter. */
  bankId: string;
  /** Local day, YYYY-MM-DD. */
  receivedOn: string;
}

interface Recording {
  /** The staff member; null at the command line. */
  recordedBy: string | null;
  /** It is not credited before a second person confirms it. */
  mustWait: boolean;
  now: Date;
}

export type TransferOutcome =
  | { outcome: 'recorded' | 'waiting'; paymentId: string }
  /** A transfer with this bank id exists. */
  | { outcome: 'known'; recordedAt: Date; account: string; amountCents: number };

/** Records a transfer and its ledger entry, in the caller's transaction, which has locked the account. */
export async function recordTransfer(
  tx: Tx | Database,
  { accountId, amountCents, bankId, receivedOn }: ReceivedTransfer,
  { recordedBy, mustWait, now }: Recording,
): Promise<TransferOutcome> {
  const id = randomUUIDv7();
  const compactId = normalizeBankId(bankId);
  const inserted = await tx
    .insertInto('payments')
    .values({
      id,
      account_id: accountId,
      method: 'transfer',
      status: mustWait ? 'waiting' : 'succeeded',
      amount_cents: amountCents,
      bank_id: compactId,
      received_on: receivedOn,
      recorded_by: recordedBy,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('bank_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return { outcome: 'known', ...(await readKnown(tx, compactId)) };
  if (mustWait) return { outcome: 'waiting', paymentId: id };
  await creditTransfer(tx, { id, accountId, amountCents, bankId: compactId }, now);
  return { outcome: 'recorded', paymentId: id };
}

export const creditTransfer = (
  tx: Tx | Database,
  { id, accountId, amountCents, bankId }: { id: string; accountId: string; amountCents: number; bankId: string },
  now: Date,
) => moveMoney(tx, { id, accountId }, { kind: 'received', reference: 'received', amountCents, bankId }, now);

/** Banks and people write the same id with spaces and in either case. */
const normalizeBankId = (text: string): string => text.replace(/\s+/g, '').toUpperCase();

/** It stays: a transfer that was credited cannot be undone, and a rejected one gives its id up. */
async function readKnown(tx: Tx | Database, bankId: string) {
  return tx
    .selectFrom('payments as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['p.created_at as recordedAt', 'a.name as account', 'p.amount_cents as amountCents'])
    .where('p.bank_id', '=', bankId)
    .executeTakeFirstOrThrow();
}

/** The live account that a reference or id names, of all; locked when a transaction asks, first in the lock order. */
export async function findAnyPayer(
  db: Database | Tx,
  text: string,
  lock = false,
): Promise<{ id: string; name: string } | null> {
  const given = text.trim();
  const number = isUuid(given) ? null : parseAccountReference(given);
  if (number === null && !isUuid(given)) return null;
  const query = db
    .selectFrom('accounts as a')
    .innerJoin('account_references as r', 'r.account_id', 'a.id')
    .select(['a.id', 'a.name'])
    .where((where) => (number === null ? where('a.id', '=', given.toLowerCase()) : where('r.number', '=', number)));
  return (await (lock ? query.forNoKeyUpdate('a') : query).executeTakeFirst()) ?? null;
}

export const isInFuture = (day: string, timeZone: string, now: Date): boolean => day > localDay(now, timeZone);
