import { randomUUIDv7 } from 'node:crypto';
import { Email } from '@navette/contract';
import Type, { type Static } from 'typebox';
import type { Database } from '../../database/database.ts';
import { replaceNameKeys } from '../../database/name-keys.ts';
import { isUuid } from '../../database/uuid.ts';
import { isGuessable } from '../../secrets/guessable-password.ts';
import { hashPassword } from '../../secrets/hash-password.ts';
import { normalizeText } from '../../text/normalize-text.ts';
import { phoneKeyOf } from '../../text/search-words.ts';
import { compileInputValidator } from '../../validation/compile-validator.ts';
import { ACTIVE_RUN_LITERALS } from './active-runs.ts';
import { storedDriverNumber } from './driver-number.ts';
import { openSession } from './driver-sessions.ts';
import { endSessions } from './end-sessions.ts';
import { savePassword } from './save-password.ts';

export const MIN_PASSWORD_LENGTH = 10;
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

const DriverInput = Type.Object(
  {
    firstName: Name,
    lastName: Name,
    phoneNumber: Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }),
    email: Email(),
    autoAccept: Type.Optional(Type.Boolean()),
    password: Type.Optional(Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type DriverInput = Static<typeof DriverInput>;

export class BadDriverInput extends Error {}

const validate = compileInputValidator<DriverInput>(DriverInput);

/** Creates a driver with a first session. Its token cannot be read again. */
export async function createDriver(
  db: Database,
  input: unknown,
  now = new Date(),
): Promise<{ id: string; token: string }> {
  const [created] = await createDrivers(db, [input], now);
  if (!created) throw new Error('createDrivers returned no driver');
  return created;
}

/** Creates all drivers or none, so that the operator never has a partial list of tokens. */
export async function createDrivers(
  db: Database,
  inputs: unknown[],
  now = new Date(),
): Promise<{ id: string; token: string }[]> {
  const drivers: ReturnType<typeof toColumns>[] = [];
  const place = (i: number) => (inputs.length === 1 ? '' : `driver ${i + 1}: `);
  for (const [i, input] of inputs.entries()) {
    if (!validate(input)) throw new BadDriverInput(place(i) + problemsOf(validate.errors ?? []).join('; '));
    if (input.password !== undefined && (await isGuessable(input.password, personalWords(input)))) {
      throw new BadDriverInput(`${place(i)}password: ${GUESSABLE}`);
    }
    const phoneNumber = storedDriverNumber(input.phoneNumber);
    if (phoneNumber === null) throw new BadDriverInput(`${place(i)}phoneNumber: ${NOT_A_NUMBER}`);
    const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
    drivers.push(toColumns({ ...input, phoneNumber }, passwordHash));
  }
  return db.transaction().execute(async (tx) => {
    const created: { id: string; token: string }[] = [];
    for (const [i, driver] of drivers.entries()) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('drivers')
        .values(driver)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) {
        throw new BadDriverInput(`${place(i)}email: already used by another driver`);
      }
      await replaceNameKeys(tx, 'driver', driver.id, {
        names: [`${driver.first_name} ${driver.last_name}`],
        whole: [normalizeText(driver.email), phoneKeyOf(driver.phone_number)],
      });
      created.push({ id: driver.id, token: await openSession(tx, driver.id, null, now) });
    }
    return created;
  });
}

const NOT_A_NUMBER =
  'neither a French number nor one in international form; write it with + and the country code, such as +32470123456';
const GUESSABLE =
  'too easy to guess: use no common password, no sequence and no part of the driver’s name or e-mail; four unrelated words are fine';

export const personalWords = ({
  firstName,
  lastName,
  email,
}: {
  firstName: string;
  lastName: string;
  email: string | null;
}) => [`${firstName} ${lastName}`, email ?? ''];

const toColumns = (input: DriverInput, passwordHash: string | null) => ({
  id: randomUUIDv7(),
  first_name: input.firstName,
  last_name: input.lastName,
  phone_number: input.phoneNumber,
  email: input.email,
  auto_accept: input.autoAccept ?? false,
  password_hash: passwordHash,
});

const problemsOf = (errors: NonNullable<typeof validate.errors>) =>
  errors.map(({ instancePath, message, params }) => {
    const field = instancePath.slice(1) || params.additionalProperty || params.missingProperty || 'input';
    if (params.additionalProperty) return `${field}: unknown field`;
    return params.missingProperty ? `${field}: missing` : `${field}: ${message}`;
  });

/** Ends every session of the driver: a leaked password or token may be the reason for the new password. */
export async function setPassword(db: Database, driverId: string, password: string, now = new Date()): Promise<void> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw new BadDriverInput(`a password has at least ${MIN_PASSWORD_LENGTH} characters`);
  }
  const driver = await findDriver(db, driverId);
  if (driver && (await isGuessable(password, personalWords(driver))))
    throw new BadDriverInput(`the password is ${GUESSABLE}`);
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    await savePassword(tx, driverId, passwordHash);
    await endSessions(tx, driverId, 'all', now);
  });
}

/** Issues a token to a driver who has no password or cannot sign in. Null when the driver is disabled. */
export async function issueToken(db: Database, driverId: string, now = new Date()): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const enabled = await tx
      .selectFrom('drivers')
      .select('id')
      .where('id', '=', driverId)
      .where('disabled_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return enabled ? openSession(tx, driverId, null, now) : null;
  });
}

/** Ends every session. Active runs stay until the operator reassigns them. False when the driver was already disabled. */
export async function disableDriver(db: Database, driverId: string, now = new Date()): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('drivers')
      .set({ disabled_at: now, available: false })
      .where('id', '=', driverId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    await endSessions(tx, driverId, 'all', now);
    return numUpdatedRows > 0n;
  });
}

/** Finds a driver by id or e-mail, never a robot of a test twin. */
export function findDriver(db: Database, idOrEmail: string) {
  return db
    .selectFrom('drivers')
    .select(['id', 'first_name as firstName', 'last_name as lastName', 'email', 'disabled_at as disabledAt'])
    .select([
      'phone_number as phoneNumber',
      (eb) => eb('password_hash', 'is not', null).$castTo<boolean>().as('hasPassword'),
    ])
    .where('test_account_id', 'is', null)
    .where((eb) =>
      isUuid(idOrEmail)
        ? eb('id', '=', idOrEmail.toLowerCase())
        : eb(eb.fn('lower', ['email']), '=', idOrEmail.toLowerCase()),
    )
    .executeTakeFirst();
}

export async function listDrivers(db: Database) {
  return db
    .selectFrom('drivers')
    .select(['id', 'first_name as firstName', 'last_name as lastName', 'phone_number as phoneNumber', 'email'])
    .select(['available', 'auto_accept as autoAccept', 'disabled_at as disabledAt', 'created_at as createdAt'])
    .select((eb) =>
      eb
        .selectFrom('shipments')
        .select(eb.fn.countAll<number>().as('runs'))
        .whereRef('shipments.driver_id', '=', 'drivers.id')
        .where('shipments.status', 'in', ACTIVE_RUN_LITERALS)
        .where('shipments.returned_at', 'is', null)
        .as('runs'),
    )
    .where('test_account_id', 'is', null)
    .orderBy('created_at')
    .execute();
}
