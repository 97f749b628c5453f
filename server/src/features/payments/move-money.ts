import type { Language } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { addCredit } from '../ledger/index.ts';
import type { PaymentRow } from './payment-rows.ts';

export type MovementKind = 'received' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won';

export interface Movement {
  kind: MovementKind;
  /** The key that lets it happen once: `received`, or the kind and Stripe's id of the refund or dispute. */
  reference: string;
  amountCents: number;
  /** The bank's id of a transfer. */
  bankId?: string;
}

const TAKES = new Set<MovementKind>(['refund', 'dispute']);

/**
 * Writes a ledger entry and the movement that stands for it, in the caller's transaction, which has locked the payment. False
 * when this movement exists already.
 */
export async function moveMoney(
  tx: Tx | Database,
  payment: Pick<PaymentRow, 'id' | 'accountId'>,
  { kind, reference, amountCents, bankId }: Movement,
  now: Date,
): Promise<boolean> {
  const known = await tx
    .selectFrom('payment_movements')
    .select('entry')
    .where('payment_id', '=', payment.id)
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (known) return false;
  const signedCents = TAKES.has(kind) ? -amountCents : amountCents;
  const note = await noteOf(tx, payment.accountId, kind, bankId);
  const credit = await addCredit(tx, payment.accountId, signedCents, note);
  if (!credit) throw new Error(`no counters of account ${payment.accountId}`);
  await tx
    .insertInto('payment_movements')
    .values({
      payment_id: payment.id,
      reference,
      kind,
      account_id: payment.accountId,
      entry: credit.entry,
      amount_cents: signedCents,
      at: now,
    })
    .execute();
  return true;
}

const NOTES: Record<Language, Record<MovementKind | 'transfer', string>> = {
  fr: {
    received: 'Paiement en ligne',
    transfer: 'Virement',
    refund: 'Paiement remboursé',
    refund_failed: 'Remboursement échoué, montant recrédité',
    dispute: 'Paiement contesté auprès de la banque',
    dispute_won: 'Contestation levée, montant recrédité',
  },
  en: {
    received: 'Online payment',
    transfer: 'Bank transfer',
    refund: 'Payment refunded',
    refund_failed: 'Refund failed, amount credited again',
    dispute: 'Payment disputed with the bank',
    dispute_won: 'Dispute won, amount credited again',
  },
};

/** In the language of the account's invoices: entries never change, so each is written in one language. */
async function noteOf(
  tx: Tx | Database,
  accountId: string,
  kind: MovementKind,
  bankId: string | undefined,
): Promise<string> {
  const { rows } = await sql<{ language: Language }>`
    select language from billing_details where account_id = ${accountId}`.execute(tx);
  const notes = NOTES[rows[0]?.language ?? 'fr'];
  return bankId === undefined ? notes[kind] : `${notes.transfer} ${bankId}`;
}
