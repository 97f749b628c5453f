import { type BillingDetails, BillingDetailsInput, type Language } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { InvoiceParty } from '../../database/json-columns.ts';
import { compileInputValidator } from '../../validation/compile-validator.ts';

export type BillingDetailsChange = Partial<BillingDetails>;

const validate = compileInputValidator<BillingDetailsChange>(BillingDetailsInput);

/** Every problem of the input as a message; unknown names are problems too. */
export function checkBillingDetails(input: unknown): string[] {
  if (validate(input)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const field = instancePath.slice(1) || params.additionalProperty || 'input';
    return `${field}: ${params.additionalProperty ? 'unknown detail' : message}`;
  });
}

/** The details that the merchant entered; the rest of the buyer comes from the account. */
export async function readBillingDetails(db: Database, accountId: string): Promise<BillingDetails> {
  const row = await db
    .selectFrom('billing_details')
    .select(['name', 'street', 'postal_code as postalCode', 'city', 'country', 'siren', 'vat_id as vatId', 'language'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const none = { name: null, street: null, postalCode: null, city: null, country: 'FR', siren: null, vatId: null };
  return row ? { ...row, language: row.language as Language } : { ...none, language: 'fr' };
}

/** Absent fields stay. */
export async function saveBillingDetails(
  tx: Tx | Database,
  accountId: string,
  { postalCode, vatId, ...same }: BillingDetailsChange,
  now: Date,
): Promise<void> {
  const columns = {
    ...same,
    ...(postalCode === undefined ? {} : { postal_code: postalCode }),
    ...(vatId === undefined ? {} : { vat_id: vatId }),
    updated_at: now,
  };
  await tx
    .insertInto('billing_details')
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}

export interface Buyer {
  party: InvoiceParty;
  language: Language;
}

/** Uses the pickup address when the merchant entered no other. */
export async function readBuyer(db: Database | Tx, accountId: string): Promise<Buyer> {
  const { rows } = await sql<InvoiceParty & { language: Language }>`
    select coalesce(b.name, a.name) as name, b.siren, b.vat_id as "vatId", coalesce(b.country, 'FR') as country,
           case when b.street is null then p.street else b.street end as street,
           case when b.street is null then p.postal_code else b.postal_code end as "postalCode",
           case when b.street is null then p.city else b.city end as city,
           coalesce(b.language, 'fr') as language
    from accounts a left join billing_details b on b.account_id = a.id left join pickup_addresses p on p.account_id = a.id
    where a.id = ${accountId}`.execute(db);
  const { language, ...party } = rows[0] as InvoiceParty & { language: Language };
  return { party, language };
}
