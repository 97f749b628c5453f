import { randomUUIDv7 } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Database } from '../../database/database.ts';
import { compileBodyValidator } from '../../http/validation.ts';
import { hashPassword } from '../../password.ts';
import { isUuid } from '../../uuid.ts';
import { closeAllSessions, openSession } from './driver-sessions.ts';
import { IN_HAND } from './in-hand.ts';

const SHORTEST_PASSWORD = 10;
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

const DriverInput = Type.Object(
  {
    firstName: Name,
    lastName: Name,
    phoneNumber: Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }),
    email: Type.String({ format: 'email', maxLength: 254 }),
    autoAccept: Type.Optional(Type.Boolean()),
    password: Type.Optional(Type.String({ minLength: SHORTEST_PASSWORD, maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type DriverInput = Static<typeof DriverInput>;

export class BadDriverInput extends Error {}

const validate = compileBodyValidator<DriverInput>(DriverInput);

/** A new driver with a first session, whose token is returned this once. */
export async function createDriver(
  db: Database,
  input: unknown,
  now = new Date(),
): Promise<{ id: string; token: string }> {
  const [created] = await createDrivers(db, [input], now);
  if (!created) throw new Error('one was asked for');
  return created;
}

/** All of them or none: who reads the tokens must not have to find out which are missing. */
export async function createDrivers(
  db: Database,
  inputs: unknown[],
  now = new Date(),
): Promise<{ id: string; token: string }[]> {
  const drivers: ReturnType<typeof toColumns>[] = [];
  const place = (i: number) => (inputs.length === 1 ? '' : `driver ${i + 1}: `);
  for (const [i, input] of inputs.entries()) {
    if (!validate(input)) throw new BadDriverInput(place(i) + problemsOf(validate.errors ?? []).join('; '));
    drivers.push(toColumns(input, input.password === undefined ? null : await hashPassword(input.password)));
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
        throw new BadDriverInput(`${place(i)}email: another driver has it`);
      }
      created.push({ id: driver.id, token: await openSession(tx, driver.id, now) });
    }
    return created;
  });
}

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

/** Who signed in with the old one, or holds a token from before, is out: it may be why a new one is set. */
export async function setPassword(db: Database, driverId: string, password: string, now = new Date()): Promise<void> {
  if (password.length < SHORTEST_PASSWORD) {
    throw new BadDriverInput(`a password has at least ${SHORTEST_PASSWORD} characters`);
  }
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('drivers')
      .set({ password_hash: passwordHash, wrong_passwords: 0, locked_until: null })
      .where('id', '=', driverId)
      .execute();
    await closeAllSessions(tx, driverId, now);
  });
}

/** Ends every session at once; shipments in hand stay until somebody reassigns them. False when already disabled. */
export async function disableDriver(db: Database, driverId: string, now = new Date()): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('drivers')
      .set({ disabled_at: now, available: false })
      .where('id', '=', driverId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    await closeAllSessions(tx, driverId, now);
    return numUpdatedRows > 0n;
  });
}

/** By id or e-mail, as the operator knows them. */
export function findDriver(db: Database, idOrEmail: string) {
  return db
    .selectFrom('drivers')
    .select(['id', 'first_name as firstName', 'last_name as lastName', 'disabled_at as disabledAt'])
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
        .where('shipments.status', 'in', IN_HAND)
        .as('runs'),
    )
    .orderBy('created_at')
    .execute();
}
