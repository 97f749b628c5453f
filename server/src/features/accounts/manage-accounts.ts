import { randomInt, randomUUIDv7 } from 'node:crypto';
import type { MapPoint } from '@navette/contract';
import pg from 'pg';
import type { Database, Tx } from '../../database/database.ts';
import { replaceNameKeys } from '../../database/name-keys.ts';
import { normalizeText } from '../../text/normalize-text.ts';
import { knownCoordinates, type Locator } from '../geocoding/index.ts';
import { findHoursIn } from '../slots/index.ts';
import { type AccountInput, defaultLimits, findProblems, toColumns } from './account-input.ts';
import { savePickupAddress } from './set-pickup-address.ts';

/** The operator's input is invalid; `problems` lists the reasons by setting. */
export class BadAccountInput extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** An account's retention may be shorter than the operator's setting, never longer. */
export function checkRetention({ retentionDays }: AccountInput, longestDays: number): void {
  if (retentionDays != null && retentionDays > longestDays) {
    throw new BadAccountInput([`retentionDays: at most SHIPMENT_RETENTION_DAYS, which is ${longestDays}`]);
  }
}

/** `requestId` is unique: a second account of the same request violates a constraint. */
export async function createAccount(
  db: Database,
  input: AccountInput,
  locator: Locator,
  requestId: string | null = null,
): Promise<{ id: string; clientId: string }> {
  refuseProblems(input, ['name', 'email']);
  const point = await locatePickup(input, locator);
  const id = randomUUIDv7();
  const clientId = newClientId();
  return db.transaction().execute(async (tx) => {
    const { name = '', email = '', ...rest } = toColumns(input);
    await tx
      .insertInto('accounts')
      .values({ ...defaultLimits, ...rest, id, client_id: clientId, name, email, creation_request_id: requestId })
      .execute()
      .catch(refuseViolatedRule);
    await tx.insertInto('account_counters').values({ account_id: id }).execute();
    await saveParts(tx, id, input, point);
    await saveNameKeys(tx, id);
    return { id, clientId };
  });
}

/** False when there is no such account. */
export async function updateAccount(
  db: Database,
  accountId: string,
  input: AccountInput,
  locator: Locator,
): Promise<boolean> {
  refuseProblems(input, []);
  const point = await locatePickup(input, locator);
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ ...toColumns(input), updated_at: new Date() })
      .where('id', '=', accountId)
      .executeTakeFirst()
      .catch(refuseViolatedRule);
    if (numUpdatedRows === 0n) return false;
    await saveParts(tx, accountId, input, point);
    if (input.name !== undefined || input.email !== undefined) await saveNameKeys(tx, accountId);
    return true;
  });
}

/** The keys of a closed account and of its test twin are refused; the operator can still read its data. */
export async function closeAccount(db: Database, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ closed_at: new Date(), updated_at: new Date() })
    .where((eb) => eb.or([eb('id', '=', accountId), eb('live_account_id', '=', accountId)]))
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function refuseProblems(input: AccountInput, required: (keyof AccountInput)[]): void {
  const problems = findProblems(input, required);
  if (problems.length > 0) throw new BadAccountInput(problems);
}

/** A rule across settings. The input may contain only one of them, so a database constraint checks the resulting row. */
function refuseViolatedRule(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.constraint === 'special_request_has_pickup_time') {
    throw new BadAccountInput(['isSpecialRequest: needs agreedPickupTime, for example "17:30"']);
  }
  throw error;
}

type Point = MapPoint | null;

async function locatePickup({ pickupAddress }: AccountInput, locator: Locator): Promise<Point> {
  if (!pickupAddress) return null;
  const point =
    knownCoordinates(pickupAddress.coordinates) ??
    (await locator.locate({ ...pickupAddress, country: pickupAddress.country ?? 'France' }));
  if (!point) throw new BadAccountInput(['pickupAddress: not found on the map, give its coordinates']);
  return point;
}

async function saveParts(tx: Tx, accountId: string, input: AccountInput, point: Point): Promise<void> {
  if (input.pickupAddress && point) {
    await savePickupAddress(tx, accountId, {
      ...input.pickupAddress,
      country: input.pickupAddress.country ?? 'France',
      ...point,
    });
  }
  if (input.timeSlots)
    await replaceSlots(
      tx,
      accountId,
      input.timeSlots.map(({ label }) => label),
    );
}

/** The console finds a merchant by each word of the name, by the e-mail address and by the client id. */
async function saveNameKeys(tx: Tx, accountId: string): Promise<void> {
  const { name, email, clientId } = await tx
    .selectFrom('accounts')
    .select(['name', 'email', 'client_id as clientId'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  await replaceNameKeys(tx, 'account', accountId, { names: [name], whole: [email, clientId].map(normalizeText) });
}

/** A slot that keeps its label keeps its id, since merchants may have stored it. */
async function replaceSlots(tx: Tx, accountId: string, labels: string[]): Promise<void> {
  let stale = tx.deleteFrom('time_slots').where('account_id', '=', accountId);
  if (labels.length > 0) stale = stale.where('label', 'not in', labels);
  await stale.execute();
  for (const [position, label] of [...new Set(labels)].entries()) {
    const hours = findHoursIn(label);
    if (!hours) throw new BadAccountInput([`timeSlots: "${label}" names no hours`]);
    await tx
      .insertInto('time_slots')
      .values({
        id: randomUUIDv7(),
        account_id: accountId,
        position,
        label,
        start_minute: hours.start,
        end_minute: hours.end,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'label']).doUpdateSet({ position }))
      .execute();
  }
}

const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'; // without characters that look alike

export function newClientId(prefix = 'nvc_'): string {
  return `${prefix}${Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}
