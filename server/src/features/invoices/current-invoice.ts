import type { Tx } from '../../database/database.ts';

/**
 * The invoice of a month that stands: the monthly one, or the one that replaced it. Locks the month's documents, so that
 * none is reversed while the caller corrects it.
 */
export async function findCurrentInvoice(tx: Tx, accountId: string, month: string): Promise<string> {
  await tx
    .selectFrom('invoices')
    .select('number')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .where('kind', '=', 'invoice')
    .orderBy('number')
    .forUpdate()
    .execute();
  // A new statement, because the lock may have waited for a reversal.
  const { number } = await tx
    .selectFrom('invoices')
    .select('number')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .where('kind', '=', 'invoice')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('invoices as later')
            .select('later.number')
            .whereRef('later.account_id', '=', 'invoices.account_id')
            .whereRef('later.corrects', '=', 'invoices.number')
            .where('later.reason', '=', 'reversal'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return number;
}
