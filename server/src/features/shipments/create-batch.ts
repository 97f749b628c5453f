import { MAX_BATCH_ENTRIES, type Shipment, ShipmentRequest } from '@navette/contract';
import { Refusal, refuseWithMessage } from '../../refusals/refusal.ts';
import { compileBodyValidator } from '../../validation/compile-validator.ts';
import { toFieldErrors } from '../../validation/field-errors.ts';
import { checkAccount } from './account-checks.ts';
import { type CreationContext, refusalOf } from './create-shipment.ts';
import { checkFieldsTogether, type PreparedShipment, prepareShipment } from './prepare-shipment.ts';

const validate = compileBodyValidator<ShipmentRequest>(ShipmentRequest);

const MOST_ATTEMPTS = 3; // when settings change between preparation and insert
const WITHOUT_KEY = { source: 'api', idempotencyKey: null } as const;

export interface BatchResult {
  created: { index: number; shipping: Shipment }[];
  errors: { index: number; error: string; code: string | null }[];
}

/** Entries are checked one by one, in order; only a blocked account refuses all of them. */
export async function createBatch(
  creation: CreationContext,
  accountId: string,
  entries: unknown[],
): Promise<BatchResult> {
  if (entries.length > MAX_BATCH_ENTRIES) {
    refuseWithMessage(400, `Trop d’expéditions : au plus ${MAX_BATCH_ENTRIES} par appel.`);
  }
  for (let attempt = 1; ; attempt++) {
    const { result, isOutdated } = await attemptBatch(creation, accountId, entries);
    if (!isOutdated || attempt === MOST_ATTEMPTS) return result;
  }
}

/** `isOutdated`: the account's settings changed meanwhile. Nothing was created, and the whole batch is to be checked again. */
async function attemptBatch(
  creation: CreationContext,
  accountId: string,
  entries: unknown[],
): Promise<{ result: BatchResult; isOutdated: boolean }> {
  const account = await creation.accounts.currentSettingsOf(accountId);
  const context = creation.preparationContext(account);
  const blocked = checkAccount(account, context.now);
  if (blocked) throw blocked;

  const result: BatchResult = { created: [], errors: [] };
  const refuseEntry = (index: number, refusal: Refusal) => result.errors.push({ index, ...explain(refusal) });
  const prepared: { index: number; shipment: PreparedShipment }[] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = checkEntry(entry) ?? prepareShipment(entry as ShipmentRequest, WITHOUT_KEY, account, context);
    if (outcome instanceof Refusal) refuseEntry(index, outcome);
    else prepared.push({ index, shipment: outcome });
  }

  const outcomes = await creation.writer.insertMany(prepared.map(({ shipment }) => shipment));
  for (const [i, outcome] of outcomes.entries()) {
    const index = prepared[i]?.index ?? i;
    if (outcome.kind === 'created') result.created.push({ index, shipping: outcome.shipment });
    else if (outcome.kind !== 'replay') refuseEntry(index, refusalOf(outcome)); // entries without keys cannot be replays
  }
  result.errors.sort((a, b) => a.index - b.index);
  return { result, isOutdated: outcomes.some(({ kind }) => kind === 'outdated') };
}

/** Validates an entry like the body of POST /shipping; null when it is valid. */
function checkEntry(entry: unknown): Refusal | null {
  if (!validate(entry)) return new Refusal(400, { errors: toFieldErrors(validate.errors ?? [], 'body') });
  return checkFieldsTogether(entry);
}

/** In batch results `error` is the message and `code` the slug: elsewhere the contract has them the other way round. */
function explain({ envelope }: Refusal): { error: string; code: string | null } {
  const { errors, message, error } = envelope as {
    errors?: { path: string; msg: string }[];
    message?: string;
    error?: string;
  };
  const text = errors ? errors.map(({ path, msg }) => `${path || 'expédition'} : ${msg}`).join(' ') : message;
  return { error: text ?? '', code: error ?? null };
}
