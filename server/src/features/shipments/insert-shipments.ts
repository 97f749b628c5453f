import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Shipment } from '@navette/contract';
import pg from 'pg';
import { accountTime } from '../../calendar/twin-clock.ts';
import { coalesce } from '../../concurrency/coalesce.ts';
import { inTransaction, settled } from '../../database/pipelined-transaction.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { followChangeJob, type ShipmentChange } from '../../jobs/definitions.ts';
import { currentTrace, formatTraceparent, type Trace, type Traced } from '../../observability/trace-context.ts';
import { preciseNow, type Tracer } from '../../observability/tracer.ts';
import { isAccountMoving } from '../../refusals/refusal.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { noteBalanceRefusals } from '../ledger/index.ts';
import { findKeyUses, type ReplayOutcome, replayOf } from './idempotency-keys.ts';
import { judgeOccurrence, lockOccurrences, noteOccurrence } from './occurrence-claims.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import { newReferenceNumber } from './reference-number.ts';
import { type CreatedIds, createdEventBody, presentNewShipment } from './shipment-json.ts';
import { type LockedAccount, type NewShipment, writeNewShipments } from './write-new-shipments.ts';

export type InsertOutcome =
  | { kind: 'created'; shipment: Shipment }
  | ReplayOutcome
  /** The account's settings, or the recurring shipment, changed after the shipment was prepared. */
  | { kind: 'outdated' }
  | FundsRefusal;

export interface ShipmentWriter {
  /** Inserts one shipment, in a transaction shared with other calls of this process. */
  insertOne: (prepared: PreparedShipment) => Promise<InsertOutcome>;
  /** Inserts many in a transaction of their own. Returns one outcome per shipment, in order. */
  insertMany: (prepared: PreparedShipment[]) => Promise<InsertOutcome[]>;
}

export interface ShipmentWriterOptions {
  pool: pg.Pool;
  jobs: JobSender;
  tracer: Tracer;
  timeZone: string;
  now: () => Date;
}

/** A batch holds shipments of many requests, so each brings the trace of its own. */
interface TracedShipment {
  prepared: PreparedShipment;
  trace: Trace | undefined;
}

const MOST_ATTEMPTS = 5;
const UNIQUE_VIOLATION = '23505';

/**
 * The only code path that inserts shipments. It takes prepared shipments of any accounts and, in one transaction, locks
 * their accounts, checks each shipment in order, and writes those that pass: key, charge, number, shipment, ledger
 * entry, event and job. A refused shipment does not affect the others; if the database fails, nothing of the batch
 * exists.
 *
 * Three round trips for any batch size: lock and look up (pipelined), write and enqueue (pipelined), commit.
 */
export function createShipmentWriter({ pool, jobs, tracer, timeZone, now }: ShipmentWriterOptions): ShipmentWriter {
  const withTrace = (prepared: PreparedShipment): TracedShipment => ({ prepared, trace: currentTrace() });
  // Measured: 32 requests a statement and two statements at once carry twice the load of single transactions.
  const insertTogether = coalesce<TracedShipment, InsertOutcome>({ maxBatch: 32, maxRunning: 2 }, insertAll);
  return {
    insertOne: (prepared) => insertTogether(withTrace(prepared)),
    insertMany: (prepared) => insertAll(prepared.map(withTrace)),
  };

  async function insertAll(batch: TracedShipment[]): Promise<InsertOutcome[]> {
    const sampled = batch.filter(({ trace }) => trace?.sampled);
    if (sampled.length === 0) return insertWithRetries(batch);
    const startedAt = preciseNow();
    let failed = true;
    try {
      const outcomes = await insertWithRetries(batch);
      failed = false;
      return outcomes;
    } finally {
      const attributes = { 'db.system.name': 'postgresql', 'navette.batch_size': batch.length };
      const span = { name: 'insert shipments', kind: 'client', startedAt, failed, attributes } as const;
      for (const trace of new Set(sampled.map((shipment) => shipment.trace as Trace))) {
        tracer.record(tracer.childOf(trace), span);
      }
    }
  }

  async function insertWithRetries(batch: TracedShipment[]): Promise<InsertOutcome[]> {
    if (batch.length === 0) return [];
    for (let attempt = 1; ; attempt++) {
      try {
        const outcomes = await inTransaction(pool, (client) => insertInTransaction(client, batch));
        await noteRefusals(batch, outcomes);
        return outcomes;
      } catch (error) {
        // A concurrent transaction used the same key or reference. It has committed by now: retry and find its row.
        const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
        // An account of the batch is being moved: the next attempt finds its settings changed, and inserts the others.
        if (!(isTaken || isAccountMoving(error)) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  /** After the transaction, which wrote nothing for these. */
  async function noteRefusals(batch: TracedShipment[], outcomes: InsertOutcome[]): Promise<void> {
    const refused = batch.filter((_, i) => outcomes[i]?.kind === 'insufficient-balance');
    if (refused.length === 0) return;
    await noteBalanceRefusals(
      pool,
      refused.map(({ prepared }) => prepared),
      now(),
    );
  }

  async function insertInTransaction(client: pg.PoolClient, batch: TracedShipment[]): Promise<InsertOutcome[]> {
    const found = await lockAndLookUp(client, batch);
    const { accounts } = found;
    const { outcomes, newShipments } = decideOutcomes(batch, found, now());
    if (newShipments.length > 0) {
      const written = writeNewShipments(client, newShipments, accounts, timeZone);
      const enqueued = jobs.insert(client, followChangeJob, newShipments.map(toJob));
      await settled([written, enqueued]);
    }
    return outcomes;
  }
}

/**
 * Locks the accounts' counters in id order to avoid deadlocks. Balances read here hold until the transaction ends;
 * settings are those of the moment this statement started.
 */
const LOCK_ACCOUNTS = {
  name: 'lock-accounts',
  text: `
    select c.account_id as "accountId", c.balance_cents as "balanceCents", c.last_entry as "lastEntry",
           c.last_shipment as "lastShipment", c.last_event as "lastEvent", c.last_shipment_at as "lastShipmentAt",
           a.payment_mode as "paymentMode", a.credit_limit_cents as "creditLimitCents",
           a.settings_version as "settingsVersion", a.clock_ahead_ms as "aheadMs", a.clock_held_at as "heldAt"
    from account_counters c
    join accounts a on a.id = c.account_id
    where c.account_id = any($1)
    order by c.account_id
    for no key update of c`,
};

/** The keys are looked up after the lock, so that rows committed by the previous lock holder are visible. */
async function lockAndLookUp(client: pg.PoolClient, batch: TracedShipment[]) {
  const accountIds = [...new Set(batch.map(({ prepared }) => prepared.accountId))];
  const keys = batch.flatMap(({ prepared }) => prepared.idempotencyKey ?? []);
  const locking = client.query<LockedAccount>({ ...LOCK_ACCOUNTS, values: [accountIds] });
  const lookingUp = findKeyUses(client, keys);
  const claiming = lockOccurrences(
    client,
    batch.flatMap(({ prepared: { accountId, occurrence } }) => (occurrence ? { accountId, ...occurrence } : [])),
  );
  await settled([locking, lookingUp, claiming]);
  const accounts = new Map((await locking).rows.map((account) => [account.accountId, account]));
  return { accounts, keyUses: await lookingUp, claims: await claiming };
}

/** Decides each shipment in order: one that cannot be paid does not block the next. */
function decideOutcomes(
  batch: TracedShipment[],
  { accounts, keyUses, claims }: Awaited<ReturnType<typeof lockAndLookUp>>,
  now: Date,
) {
  const newShipments: NewShipment[] = [];
  const outcomes = batch.map(({ prepared: shipment, trace }): InsertOutcome => {
    const { accountId, idempotencyKey, occurrence, priceCents } = shipment;
    const account = accounts.get(accountId);
    if (!account) throw new Error('the account of a prepared shipment does not exist');

    const use = idempotencyKey === null ? undefined : keyUses.get(idempotencyKey);
    if (use) return replayOf(use, accountId);

    const claimed = occurrence && judgeOccurrence(claims, occurrence);
    if (claimed) return claimed;

    if (account.settingsVersion !== shipment.settingsVersion) return { kind: 'outdated' };
    const refused = checkFunds(account, priceCents);
    if (refused) return refused;

    // Never earlier than the account's previous shipment, even if this machine's clock is behind: pages rely on it.
    const createdAt = new Date(Math.max(accountTime(account, now).getTime(), account.lastShipmentAt.getTime()));
    account.balanceCents -= priceCents;
    account.lastEntry++;
    account.lastShipment++;
    account.lastEvent++;
    account.lastShipmentAt = createdAt;
    const created: CreatedIds = {
      id: randomUUIDv7(),
      referenceNumber: newReferenceNumber(),
      labelSuffix: randomBytes(16).toString('hex'),
      createdAt,
    };
    newShipments.push({
      ...created,
      shipment,
      trace,
      number: account.lastShipment,
      entry: account.lastEntry,
      balanceAfterCents: account.balanceCents,
      paymentMode: account.paymentMode,
      eventId: randomUUIDv7(),
      eventPosition: account.lastEvent,
      eventBody: createdEventBody(shipment, created),
    });
    if (idempotencyKey !== null) keyUses.set(idempotencyKey, { accountId, shipmentId: created.id });
    if (occurrence) noteOccurrence(claims, occurrence, created.id); // the same batch may hold it twice
    return { kind: 'created', shipment: presentNewShipment(shipment, created) };
  });
  return { outcomes, newShipments };
}

const toJob = ({ shipment, trace, id, eventId }: NewShipment): Traced<ShipmentChange> => ({
  accountId: shipment.accountId,
  shipmentId: id,
  status: shipment.status,
  eventId,
  traceparent: trace && formatTraceparent(trace),
});

type FundsRefusal =
  | { kind: 'insufficient-balance'; balanceCents: number; priceCents: number }
  | { kind: 'over-credit-limit' };

type Funds = Pick<AccountSettings, 'paymentMode' | 'balanceCents' | 'creditLimitCents'>;

/** Why the account's balance and credit limit do not cover this price; null when they do. */
export function checkFunds(account: Funds, priceCents: number): FundsRefusal | null {
  const { paymentMode, balanceCents } = account;
  if (balanceCents - priceCents >= lowestBalance(account)) return null;
  return paymentMode === 'prepaid'
    ? { kind: 'insufficient-balance', balanceCents, priceCents }
    : { kind: 'over-credit-limit' };
}

function lowestBalance({ paymentMode, creditLimitCents }: Funds): number {
  if (paymentMode === 'prepaid') return 0;
  return creditLimitCents === null ? Number.NEGATIVE_INFINITY : -creditLimitCents;
}
