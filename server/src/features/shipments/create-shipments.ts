import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Shipment } from '@navette/contract';
import pg from 'pg';
import { inTransaction, settled } from '../../database/pipelined-transaction.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { followChangeJob, type ShipmentChange } from '../../jobs/definitions.ts';
import { type Creation, type LockedAccount, toRows } from './creation-rows.ts';
import { FIND_KEYS, LOCK_ACCOUNTS, WRITE_CREATIONS } from './creation-statements.ts';
import { judgeMoney, type Unpaid } from './judge-money.ts';
import type { PreparedShipment } from './prepare-shipment.ts';
import { presentCreated } from './present.ts';
import { newReferenceNumber } from './reference-number.ts';

export type Outcome =
  | { kind: 'created'; shipment: Shipment }
  | { kind: 'replay'; shipmentId: string }
  | { kind: 'conflict' }
  | { kind: 'outdated' }
  | Unpaid;

interface UsedKey {
  accountId: string;
  shipmentId: string;
}

const MOST_ATTEMPTS = 5;
const UNIQUE_VIOLATION = '23505';

/**
 * The one way a shipment comes into the world. Takes prepared shipments of any accounts and, in one transaction, locks
 * their accounts, judges them in order, and writes all that may be created: key, charge, number, shipment, ledger
 * entry, event and job. Answers one outcome per shipment, in order. A refusal touches nobody else; if the database
 * fails, nothing of the batch exists.
 *
 * Three round trips whatever the size: lock and look (sent together), write and enqueue (sent together), commit.
 */
export function createCreator(pool: pg.Pool, jobs: JobSender, timeZone: string, now: () => Date) {
  return async function createShipments(prepared: PreparedShipment[]): Promise<Outcome[]> {
    if (prepared.length === 0) return [];
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(pool, (client) => attemptCreation(client, prepared));
      } catch (error) {
        // A key or a reference was taken at the same instant: now that it is committed, start over and see it.
        const taken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
        if (!taken || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  };

  async function attemptCreation(client: pg.PoolClient, prepared: PreparedShipment[]): Promise<Outcome[]> {
    const { accounts, usedKeys } = await lockAndLook(client, prepared);
    const { outcomes, creations } = judge(prepared, accounts, usedKeys, now());
    if (creations.length > 0) {
      const written = client.query({ ...WRITE_CREATIONS, values: toRows(creations, accounts, timeZone) });
      const enqueued = jobs.insert(client, followChangeJob, creations.map(toJob));
      await settled([written, enqueued]);
    }
    return outcomes;
  }
}

async function lockAndLook(client: pg.PoolClient, prepared: PreparedShipment[]) {
  const accountIds = [...new Set(prepared.map(({ accountId }) => accountId))];
  const keys = prepared.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const locking = client.query<LockedAccount>({ ...LOCK_ACCOUNTS, values: [accountIds] });
  const looking = keys.length > 0 ? client.query<UsedKey & { key: string }>({ ...FIND_KEYS, values: [keys] }) : null;
  await settled([locking, looking]);
  const accounts = new Map((await locking).rows.map((account) => [account.accountId, account]));
  const usedKeys = new Map(((await looking)?.rows ?? []).map(({ key, ...use }) => [key, use as UsedKey]));
  return { accounts, usedKeys };
}

/** In order, each on its own: a shipment that cannot be paid for does not stand in the way of the next. */
function judge(
  prepared: PreparedShipment[],
  accounts: Map<string, LockedAccount>,
  usedKeys: Map<string, UsedKey>,
  now: Date,
) {
  const creations: Creation[] = [];
  const outcomes = prepared.map((shipment): Outcome => {
    const { accountId, idempotencyKey, priceCents } = shipment;
    const account = accounts.get(accountId);
    if (!account) throw new Error('the account of a prepared shipment does not exist');

    const use = idempotencyKey === null ? undefined : usedKeys.get(idempotencyKey);
    if (use) return use.accountId === accountId ? { kind: 'replay', shipmentId: use.shipmentId } : { kind: 'conflict' };

    if (account.changedAt.getTime() !== shipment.settingsChangedAt.getTime()) return { kind: 'outdated' };
    const unpaid = judgeMoney(account, priceCents);
    if (unpaid) return unpaid;

    // Never before the shipment it follows, even if this machine's clock is behind: pages rely on it.
    const createdAt = new Date(Math.max(now.getTime(), account.lastShipmentAt.getTime()));
    account.balanceCents -= priceCents;
    account.lastEntry++;
    account.lastShipment++;
    account.lastShipmentAt = createdAt;
    const creation: Creation = {
      shipment,
      id: randomUUIDv7(),
      referenceNumber: newReferenceNumber(),
      labelSuffix: randomBytes(16).toString('hex'),
      createdAt,
      number: account.lastShipment,
      entry: account.lastEntry,
      balanceAfterCents: account.balanceCents,
      eventId: randomUUIDv7(),
    };
    creations.push(creation);
    if (idempotencyKey !== null) usedKeys.set(idempotencyKey, { accountId, shipmentId: creation.id });
    return { kind: 'created', shipment: presentCreated(shipment, creation) };
  });
  return { outcomes, creations };
}

const toJob = ({ shipment, id, eventId }: Creation): ShipmentChange => ({
  accountId: shipment.accountId,
  shipmentId: id,
  status: shipment.status,
  eventId,
});
