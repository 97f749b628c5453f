import type { Shipment, ShipmentRequest } from '@navette/contract';
import type pg from 'pg';
import { messageOnly, Refusal, refusal } from '../../http/refusal.ts';
import type { AccountDirectory, AccountSettings } from '../accounts/index.ts';
import { toEuros } from '../ledger/index.ts';
import { checkAccount } from './account-checks.ts';
import type { Outcome } from './create-shipments.ts';
import {
  checkFieldsTogether,
  type PreparationContext,
  type PreparedShipment,
  type Provenance,
  prepareShipment,
} from './prepare-shipment.ts';
import { projectionOf, type ShipmentReader } from './read-shipment.ts';

export interface Creating {
  accounts: AccountDirectory;
  reader: ShipmentReader;
  pool: pg.Pool;
  /** One shipment into the next batch of the process. */
  createOne: (prepared: PreparedShipment) => Promise<Outcome>;
  /** Many at once, in a transaction of their own. */
  createMany: (prepared: PreparedShipment[]) => Promise<Outcome[]>;
  context: () => PreparationContext;
}

export type Created = { idempotent: boolean; shipment: Shipment };

/** The story of one creation. */
export async function createShipment(
  creating: Creating,
  accountId: string,
  request: ShipmentRequest,
  provenance: Provenance,
): Promise<Created> {
  const broken = checkFieldsTogether(request);
  if (broken) throw broken;

  const answer = await tryToCreate(creating, accountId, request, provenance);
  const outcome =
    answer instanceof Refusal ? await replayOrRefuse(creating, accountId, provenance.idempotencyKey, answer) : answer;
  switch (outcome.kind) {
    case 'created':
      return { idempotent: false, shipment: outcome.shipment };
    case 'replay':
      return {
        idempotent: true,
        shipment: projectionOf(await creating.reader.documentById(accountId, outcome.shipmentId)),
      };
    default:
      throw refusalOf(outcome);
  }
}

/**
 * Remembered settings may be half a second old. A no is therefore looked at again; a yes is confirmed by the creation
 * itself, which holds the account's row and calls it outdated when other settings hold by now.
 */
async function tryToCreate(
  { accounts, context, createOne }: Creating,
  accountId: string,
  request: ShipmentRequest,
  provenance: Provenance,
): Promise<Outcome | Refusal> {
  const attempt = async (account: AccountSettings): Promise<Outcome | Refusal> => {
    const now = context();
    const prepared = checkAccount(account, now.now) ?? prepareShipment(request, provenance, account, now);
    return prepared instanceof Refusal ? prepared : createOne(prepared);
  };
  const first = await attempt(await accounts.settingsOf(accountId));
  const isFinal = !(first instanceof Refusal) && first.kind !== 'outdated';
  return isFinal ? first : attempt(await accounts.currentSettingsOf(accountId));
}

/** A replay works even when the account is blocked or the slot is past by now. */
async function replayOrRefuse(
  { pool }: Creating,
  accountId: string,
  idempotencyKey: string | null,
  refused: Refusal,
): Promise<Outcome> {
  if (idempotencyKey === null) throw refused;
  const { rows } = await pool.query<{ accountId: string; shipmentId: string }>({
    name: 'find-idempotency-key',
    text: 'select account_id as "accountId", shipment_id as "shipmentId" from idempotency_keys where key = $1',
    values: [idempotencyKey],
  });
  const use = rows[0];
  if (!use) throw refused;
  return use.accountId === accountId ? { kind: 'replay', shipmentId: use.shipmentId } : { kind: 'conflict' };
}

/** An outcome that is a no, in the contract's words. */
export function refusalOf(outcome: Exclude<Outcome, { kind: 'created' | 'replay' }>): Refusal {
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
