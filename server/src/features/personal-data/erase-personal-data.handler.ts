import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { erasePersonalDataJob } from '../../jobs/definitions.ts';
import { deleteProofFiles } from '../proofs/index.ts';
import { deleteLabelFiles } from './delete-label-files.ts';
import { eraseOldRecords } from './erase-old-records.ts';
import { eraseRequested } from './erase-requested.ts';
import { ENDED_AT, eraseShipments, type ShipmentToErase, TO_ERASE } from './erase-shipments.ts';
import { erasedBefore, type Retention } from './retention.ts';

export interface ErasureOptions {
  db: Database;
  jobs: JobSender;
  stores: { labels: FileStore; proofs: FileStore };
  config: Retention;
  registry: Registry;
  log: FastifyBaseLogger;
}

const AT_ONCE = 500; // shipments per transaction, a few tenths of a second
const ACCOUNTS_AT_ONCE = 4; // each waits for the disk most of the time
const LONGEST_RUN_MS = 300_000; // well below the timeout of the job

/** Erases one batch of one kind of personal data. Returns the number of rows, below AT_ONCE when none is left. */
type EraseBatch = (account: DueAccount) => Promise<number>;

interface DueAccount {
  accountId: string;
  before: Date;
}

/**
 * Erases personal data whose retention has ended, in batches that commit separately: after a crash, the next run
 * continues. Reads one index entry per account, then only the rows to erase.
 */
export function erasePersonalData(options: ErasureOptions, now: () => Date): () => Promise<void> {
  const { db, jobs, stores, config, registry, log } = options;
  const erased = new Counter({
    name: 'navette_personal_data_erased_total',
    help: 'Rows or files whose personal data was erased, by what they are',
    labelNames: ['what'],
    registers: [registry],
  });

  return async () => {
    const at = now();
    const counts: Record<string, number> = {};
    const stopAt = performance.now() + LONGEST_RUN_MS;
    const isLate = () => performance.now() > stopAt;
    const count = (what: string, rows: number) => {
      counts[what] = (counts[what] ?? 0) + rows;
      erased.inc({ what }, rows);
    };
    const eraseAll = async (what: string, accounts: DueAccount[], eraseBatch: EraseBatch) => {
      const waiting = accounts.values();
      const eraseNext = async () => {
        for (const account of waiting) {
          for (let rows = AT_ONCE; rows === AT_ONCE && !isLate(); count(what, rows)) rows = await eraseBatch(account);
        }
      };
      const ended = await Promise.allSettled(Array.from({ length: ACCOUNTS_AT_ONCE }, eraseNext));
      const failed = ended.find((lane) => lane.status === 'rejected');
      if (failed) throw failed.reason; // after the others: up to three accounts that fail keep no other waiting
    };

    const codeDays = Math.min(config.deliveryCodeRetentionDays, config.shipmentRetentionDays);
    await eraseAll('deliveryCodes', await accountsWithCodes(db, at, codeDays), (account) => eraseCodes(db, account));
    const due = await accountsWithShipments(db, at, config.shipmentRetentionDays);
    await eraseAll('shipments', due, (account) => eraseOld(db, account, at));
    count('requestedShipments', await eraseRequested(db, at));
    count('labelFiles', await deleteLabelFiles(db, stores.labels, at));
    count('proofFiles', await deleteProofFiles(db, stores.proofs, at));
    for (const [what, rows] of Object.entries(await eraseOldRecords(db, config.shipmentRetentionDays, at)))
      count(what, rows);
    log.info({ erased: counts }, 'personal data erased');
    if (isLate()) await db.transaction().execute((tx) => jobs.send(tx, erasePersonalDataJob, {}));
  };
}

const HAS_CODE = sql`s.delivery_code is not null and ${ENDED_AT} is not null`;
const NOT_ERASED = sql`s.personal_data_erased_at is null and ${ENDED_AT} is not null`;

const accountsWithCodes = (db: Database, now: Date, days: number) => findDueAccounts(db, HAS_CODE, now, days);
const accountsWithShipments = (db: Database, now: Date, days: number) => findDueAccounts(db, NOT_ERASED, now, days);

/** The accounts with rows to erase, found by the oldest index entry of each. */
async function findDueAccounts(db: Database, condition: typeof HAS_CODE, now: Date, days: number) {
  const { rows } = await sql<DueAccount>`
    select a.id as "accountId", ${erasedBefore(now, days)} as before
    from accounts a
    cross join lateral (
      select ${ENDED_AT} as at from shipments s where s.account_id = a.id and ${condition} order by ${ENDED_AT} limit 1
    ) oldest
    where oldest.at < ${erasedBefore(now, days)} and a.moved_to is null
    order by a.id`.execute(db);
  return rows;
}

async function eraseCodes(db: Database, { accountId, before }: DueAccount): Promise<number> {
  const { numAffectedRows } = await sql`
    update shipments set delivery_code = null where (account_id, id) in (
      select s.account_id, s.id from shipments s
      where s.account_id = ${accountId} and ${HAS_CODE} and ${ENDED_AT} < ${before}
      order by ${ENDED_AT} limit ${AT_ONCE} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const eraseOld = (db: Database, { accountId, before }: DueAccount, now: Date) =>
  db.transaction().execute(async (tx: Tx) => {
    const { rows } = await sql<ShipmentToErase>`
      select ${TO_ERASE} from shipments s
      where s.account_id = ${accountId} and ${NOT_ERASED} and ${ENDED_AT} < ${before}
      order by ${ENDED_AT} limit ${AT_ONCE} for update skip locked`.execute(tx);
    if (rows.length > 0) await eraseShipments(tx, accountId, rows, now);
    return rows.length;
  });
