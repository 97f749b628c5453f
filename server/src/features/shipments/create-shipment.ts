import type { Shipment, ShipmentRequest } from '@navette/contract';
import type pg from 'pg';
import { openProofStore } from '../../adapters/files/open-file-store.ts';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Config } from '../../config.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { Tracer } from '../../observability/tracer.ts';
import { messageOnly, Refusal, refusal } from '../../refusals/refusal.ts';
import type { AccountDirectory, AccountSettings } from '../accounts/index.ts';
import { type Archive, createArchive } from '../archive/index.ts';
import { toEuros } from '../ledger/index.ts';
import { checkAccount } from './account-checks.ts';
import { DOCUMENT_JSON } from './document-json.ts';
import { findKeyUses, type ReplayOutcome, replayOf, storedKeyOf } from './idempotency-keys.ts';
import { createShipmentWriter, type InsertOutcome, type ShipmentWriter } from './insert-shipments.ts';
import { checkFieldsTogether, type PreparationContext, type Provenance, prepareShipment } from './prepare-shipment.ts';
import { createShipmentReader, projectionOf, type ShipmentReader } from './read-shipment.ts';

/** The services that creating shipments needs. The API, the dashboard and imports of a process share one. */
export interface CreationContext {
  accounts: AccountDirectory;
  reader: ShipmentReader;
  archive: Archive;
  pool: pg.Pool;
  writer: ShipmentWriter;
  /** Settings and the account's current time, for `prepareShipment`. */
  preparationContext: (account: Pick<AccountSettings, 'clock'>) => PreparationContext;
}

export interface CreationOptions extends Pick<Config, 'proofStore' | 's3'> {
  pools: { prepared: pg.Pool; creation: pg.Pool };
  jobs: JobSender;
  accounts: AccountDirectory;
  tracer: Tracer;
  timeZone: string;
  activationLeadMinutes: number;
  now: () => Date;
}

export function buildCreationContext(options: CreationOptions): CreationContext {
  const { pools, jobs, accounts, tracer, timeZone, activationLeadMinutes, now } = options;
  const archive = createArchive(pools.prepared, openProofStore(options), DOCUMENT_JSON);
  return {
    accounts,
    reader: createShipmentReader(pools.prepared, archive),
    archive,
    pool: pools.prepared,
    writer: createShipmentWriter({ pool: pools.creation, jobs, tracer, timeZone, now }),
    preparationContext: ({ clock }) => ({ timeZone, activationLeadMinutes, now: accountTime(clock, now()) }),
  };
}

/** Creates one shipment, or returns the shipment that its idempotency key created earlier. */
export async function createShipment(
  creation: CreationContext,
  accountId: string,
  request: ShipmentRequest,
  provenance: Provenance,
): Promise<{ idempotent: boolean; shipment: Shipment }> {
  const invalid = checkFieldsTogether(request, provenance.idempotencyKey);
  if (invalid) throw invalid;

  const result = await prepareAndInsert(creation, accountId, request, provenance);
  const outcome =
    result instanceof Refusal ? await replayOrRefuse(creation, accountId, provenance.idempotencyKey, result) : result;
  switch (outcome.kind) {
    case 'created':
      return { idempotent: false, shipment: outcome.shipment };
    case 'replay':
      return {
        idempotent: true,
        shipment: projectionOf(await creation.reader.documentById(accountId, outcome.shipmentId)),
      };
    default:
      throw refusalOf(outcome);
  }
}

/**
 * Cached settings may be half a second old. A refusal based on them is therefore checked again with current settings.
 * An accepted request needs no second check: the insert holds the account's lock and reports `outdated` when the
 * settings have changed.
 */
async function prepareAndInsert(
  { accounts, writer, preparationContext }: CreationContext,
  accountId: string,
  request: ShipmentRequest,
  provenance: Provenance,
): Promise<InsertOutcome | Refusal> {
  const attempt = async (account: AccountSettings): Promise<InsertOutcome | Refusal> => {
    const context = preparationContext(account);
    const prepared = checkAccount(account, context.now) ?? prepareShipment(request, provenance, account, context);
    return prepared instanceof Refusal ? prepared : writer.insertOne(prepared);
  };
  const first = await attempt(await accounts.settingsOf(accountId));
  const isFinal = !(first instanceof Refusal) && first.kind !== 'outdated';
  return isFinal ? first : attempt(await accounts.currentSettingsOf(accountId));
}

/** A replay succeeds even when the account is blocked or the slot has passed since. */
async function replayOrRefuse(
  { accounts, pool }: CreationContext,
  accountId: string,
  idempotencyKey: string | null,
  refused: Refusal,
): Promise<ReplayOutcome> {
  if (idempotencyKey === null) throw refused;
  const key = storedKeyOf(await accounts.settingsOf(accountId), idempotencyKey);
  const use = (await findKeyUses(pool, [key])).get(key);
  if (!use) throw refused;
  return replayOf(use, accountId);
}

/** The contract's refusal for an outcome without a shipment. */
export function refusalOf(outcome: Exclude<InsertOutcome, { kind: 'created' | 'replay' }>): Refusal {
  switch (outcome.kind) {
    case 'conflict':
      return refusal('IDEMPOTENCY_KEY_CONFLICT');
    case 'insufficient-balance':
      return refusal('INSUFFICIENT_BALANCE', {
        currentBalance: toEuros(outcome.balanceCents),
        requiredAmount: toEuros(outcome.priceCents),
      });
    case 'outdated':
      return messageOnly(400, 'Les réglages du compte viennent de changer : réessayez.', 'SETTINGS_CHANGED');
    case 'over-credit-limit':
      return messageOnly(
        400,
        'Plafond de crédit dépassé : réglez vos factures en cours ou contactez votre opérateur.',
        'OVER_CREDIT_LIMIT',
      );
  }
}
