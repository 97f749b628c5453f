import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { closeMonths } from './close-month.ts';
import type { Issuer } from './issuer.ts';

export interface IssuingRound {
  until: string;
  now: Date;
  /** The last account of the previous page. */
  after?: string | undefined;
}

export interface IssuedPage {
  numbers: string[];
  failures: { accountId: string; error: unknown }[];
  /** The last account of this page; null when it was the last page. */
  next: string | null;
}

const PAGE = 200; // accounts

/**
 * Closes the months of a page of accounts, by id. An account that fails does not stop the others. Test twins are not among them.
 */
export async function issueAnyInvoices(
  db: Database,
  issuer: Issuer,
  { until, now, after }: IssuingRound,
): Promise<IssuedPage> {
  const accounts = await findAnyAccountsToClose(db, until, after ?? null);
  const issued: IssuedPage = { numbers: [], failures: [], next: null };
  for (const accountId of accounts) {
    try {
      issued.numbers.push(...(await closeMonths(db, issuer, accountId, until, now)));
    } catch (error) {
      issued.failures.push({ accountId, error });
    }
  }
  return { ...issued, next: accounts.length === PAGE ? (accounts.at(-1) ?? null) : null };
}

/** Accounts with entries after their last closed month, in which the wanted month is not closed. */
async function findAnyAccountsToClose(db: Database, until: string, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id
    from accounts a
    join account_counters c on c.account_id = a.id
    left join lateral (
      select month, last_entry from billing_periods where account_id = a.id order by first_entry desc limit 1
    ) p on true
    where a.live_account_id is null and a.moved_to is null and (${after}::uuid is null or a.id > ${after}::uuid)
      and c.last_entry > coalesce(p.last_entry, 0) and coalesce(p.month, '') < ${until}
    order by a.id limit ${PAGE}`.execute(db);
  return rows.map(({ id }) => id);
}
