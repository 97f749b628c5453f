import { MAX_BATCH_ENTRIES, type Shipment, ShipmentRequest } from '@navette/contract';
import { Refusal, refuseWithMessage } from '../../http/refusal.ts';
import { compileBodyValidator, toFieldErrors } from '../../http/validation.ts';
import { checkAccount } from './account-checks.ts';
import { type Creating, refusalOf } from './create-shipment.ts';
import { checkFieldsTogether, type PreparedShipment, prepareShipment } from './prepare-shipment.ts';

const validate = compileBodyValidator<ShipmentRequest>(ShipmentRequest);

const MOST_ATTEMPTS = 3; // with settings that change at that very moment
const WITHOUT_KEY = { source: 'api', idempotencyKey: null } as const;

export interface BatchResult {
  created: { index: number; shipping: Shipment }[];
  errors: { index: number; error: string; code: string | null }[];
}

/** Entries are judged one by one, in order; only what blocks the account blocks them all. */
export async function createBatch(creating: Creating, accountId: string, entries: unknown[]): Promise<BatchResult> {
  if (entries.length > MAX_BATCH_ENTRIES) {
    refuseWithMessage(400, `Trop d’expéditions : au plus ${MAX_BATCH_ENTRIES} par appel.`);
  }
  for (let attempt = 1; ; attempt++) {
    const { result, isOutdated } = await attemptBatch(creating, accountId, entries);
    if (!isOutdated || attempt === MOST_ATTEMPTS) return result;
  }
}

/** Outdated when the account's settings changed meanwhile: nothing was created, and all of it is to be judged anew. */
async function attemptBatch(
  creating: Creating,
  accountId: string,
  entries: unknown[],
): Promise<{ result: BatchResult; isOutdated: boolean }> {
  const account = await creating.accounts.currentSettingsOf(accountId);
  const context = creating.context();
  const blocked = checkAccount(account, context.now);
  if (blocked) throw blocked;

  const result: BatchResult = { created: [], errors: [] };
  const refuseEntry = (index: number, refusal: Refusal) => result.errors.push({ index, ...explain(refusal) });
  const prepared: { index: number; shipment: PreparedShipment }[] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = readEntry(entry) ?? prepareShipment(entry as ShipmentRequest, WITHOUT_KEY, account, context);
    if (outcome instanceof Refusal) refuseEntry(index, outcome);
    else prepared.push({ index, shipment: outcome });
  }

  const outcomes = await creating.createMany(prepared.map(({ shipment }) => shipment));
  for (const [i, outcome] of outcomes.entries()) {
    const index = prepared[i]?.index ?? i;
    if (outcome.kind === 'created') result.created.push({ index, shipping: outcome.shipment });
    else if (outcome.kind !== 'replay') refuseEntry(index, refusalOf(outcome)); // without keys there is no replay
  }
  result.errors.sort((a, b) => a.index - b.index);
  return { result, isOutdated: outcomes.some(({ kind }) => kind === 'outdated') };
}

/** Null when the entry has the body of POST /shipping. */
function readEntry(entry: unknown): Refusal | null {
  if (!validate(entry)) return new Refusal(400, { errors: toFieldErrors(validate.errors ?? [], 'body') });
  return checkFieldsTogether(entry);
}

/** Here `error` is the prose and `code` the slug: the contract's own inversion. */
function explain({ envelope }: Refusal): { error: string; code: string | null } {
  const { errors, message, error } = envelope as {
    errors?: { path: string; msg: string }[];
    message?: string;
    error?: string;
  };
  const prose = errors ? errors.map(({ path, msg }) => `${path || 'expédition'} : ${msg}`).join(' ') : message;
  return { error: prose ?? '', code: error ?? null };
}
