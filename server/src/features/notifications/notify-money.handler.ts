import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notify } from './notify.ts';

const PER_RUN = 1_000; // accounts, and documents; the next run continues

/**
 * Tells members of prepaid accounts when the balance becomes low or empty, once until it recovers, and of new invoices and
 * credit notes. Reads only accounts whose level changed since, which triggers note: a creation of a shipment waits for nothing.
 */
export async function notifyMoney(db: Database, jobs: JobSender, now: Date): Promise<void> {
  await notifyBalances(db, jobs, now);
  await notifyInvoices(db, jobs, now);
}

async function notifyBalances(db: Database, jobs: JobSender, now: Date): Promise<void> {
  const changed = await db
    .selectFrom('balance_changes')
    .select('account_id')
    .where(servedHere('balance_changes.account_id'))
    .distinct()
    .limit(PER_RUN)
    .execute();
  for (const { account_id: accountId } of changed) {
    await db.transaction().execute(async (tx) => {
      // Before the balance is read: a change after this has its own row.
      await tx.deleteFrom('balance_changes').where('account_id', '=', accountId).execute();
      const { rows } = await sql<{ level: 'low' | 'empty' | null }>`
        select case when a.payment_mode = 'prepaid' and a.closed_at is null
          and exists (select from ledger_entries l where l.account_id = a.id)
          then balance_level(c.balance_cents) end as level
        from accounts a join account_counters c on c.account_id = a.id
        where a.id = ${accountId} and a.live_account_id is null`.execute(tx);
      const level = rows[0]?.level;
      if (!level) {
        await tx.deleteFrom('balance_notices').where('account_id', '=', accountId).execute();
        return;
      }
      const { rows: noted } = await sql<{ isWorse: boolean }>`
        with before as (select level from balance_notices where account_id = ${accountId})
        insert into balance_notices as n (account_id, level, since) values (${accountId}, ${level}, ${now})
        on conflict (account_id) do update set level = excluded.level, since = excluded.since
          where n.level <> excluded.level
        returning coalesce((select level from before), 'enough') <> 'empty' as "isWorse"`.execute(tx);
      if (!noted[0]?.isWorse) return;
      const cause = { kind: `balance-${level}` as const, once: now.toISOString(), title: null, target: null };
      await notify(tx, jobs, accountId, cause, now);
    });
  }
}

async function notifyInvoices(db: Database, jobs: JobSender, now: Date): Promise<void> {
  const waiting = await db
    .selectFrom('invoice_notices')
    .select(['account_id', 'number'])
    .where(servedHere('invoice_notices.account_id'))
    .orderBy('account_id')
    .orderBy('number')
    .limit(PER_RUN)
    .execute();
  for (const { account_id: accountId, number } of waiting) {
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('invoice_notices').where('account_id', '=', accountId).where('number', '=', number).execute();
      const cause = { kind: 'invoice-issued', once: number, title: number, target: null, about: number } as const;
      await notify(tx, jobs, accountId, cause, now);
    });
  }
}
