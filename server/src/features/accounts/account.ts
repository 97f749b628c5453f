import type { PaymentMode, PaymentStatus } from '@navette/contract';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type pg from 'pg';
import type { TwinClock } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import { prepare } from '../../database/prepare.ts';
import type { AccountSlot } from '../slots/index.ts';
import { toClock } from './read-clock.ts';

export interface PickupPlace {
  street: string;
  city: string;
  postalCode: string;
  country: string;
  latitude: number;
  longitude: number;
  formattedAddress: string | null;
  placeId: string | null;
}

/** The operator's settings of an account, and its pickup address. */
export interface AccountSettings {
  id: string;
  /** A test twin. */
  isTest: boolean;
  clock: TwinClock;
  clientId: string;
  name: string;
  email: string;
  clientType: string | null;
  contractVersion: string | null;
  contractSigned: boolean;
  isSpecialRequest: boolean;
  /** Local time, HH:MM. */
  agreedPickupTime: string | null;
  minimumPriceCents: number;
  pricePerKgCents: number | null;
  paymentMode: PaymentMode;
  paymentStatus: PaymentStatus;
  creditLimitCents: number | null;
  /** The operator's own figure; null means that the ledger decides. */
  amountDueCents: number | null;
  gracePeriodEndsAt: Date | null;
  rateLimits: { minute: number; hour: number; day: number };
  /** SMS per local day; null means the setting for all accounts. */
  smsPerDay: number | null;
  /** How long personal data is kept after a shipment has ended; null means the operator's setting. */
  retentionDays: number | null;
  pickupAddress: PickupPlace | null;
  slots: AccountSlot[];
  balanceCents: number;
  closedAt: Date | null;
  createdAt: Date;
  /** Increases with every change except of the balance, so that outdated cached settings are detected. */
  settingsVersion: number;
  /** The cell that serves the account; null: this one. */
  movedTo: string | null;
}

/** The amount that the account owes: the operator's figure if there is one, else the negative balance of the ledger. */
export function amountDueCents(account: Pick<AccountSettings, 'amountDueCents' | 'balanceCents'>): number {
  return account.amountDueCents ?? Math.max(0, -account.balanceCents);
}

/** Named one by one: a prepared `select *` fails once on each connection when a migration adds a column to the table. */
const ACCOUNT_COLUMNS = [
  'accounts.id',
  'live_account_id',
  'client_id',
  'name',
  'email',
  'client_type',
  'contract_version',
  'contract_signed',
  'is_special_request',
  'agreed_pickup_time',
  'minimum_price_cents',
  'price_per_kg_cents',
  'payment_mode',
  'payment_status',
  'credit_limit_cents',
  'amount_due_cents',
  'grace_period_ends_at',
  'limit_per_minute',
  'limit_per_hour',
  'limit_per_day',
  'sms_per_day',
  'retention_days',
  'closed_at',
  'accounts.created_at',
  'settings_version',
  'clock_ahead_ms',
  'clock_held_at',
  'moved_to',
] as const;

const selectAccounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .innerJoin('account_counters', 'account_counters.account_id', 'accounts.id')
    .leftJoin('pickup_addresses', 'pickup_addresses.account_id', 'accounts.id')
    .select(ACCOUNT_COLUMNS)
    .select([
      'balance_cents',
      'street',
      'city',
      'postal_code',
      'country',
      'latitude',
      'longitude',
      'formatted_address',
      'place_id',
    ])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('time_slots')
          .select(['id', 'label', 'start_minute as start', 'end_minute as end'])
          .whereRef('time_slots.account_id', '=', 'accounts.id')
          .orderBy('position'),
      ).as('slots'),
    );

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number];

const selectAccount = (db: Database, accountId: string) => selectAccounts(db).where('accounts.id', '=', accountId);

/** The same as readAccount, as a prepared statement for the request path. */
export function prepareReadAccount(
  db: Database,
  pool: pg.Pool,
): (accountId: string) => Promise<AccountSettings | null> {
  const read = prepare(pool, 'read-account', selectAccount(db, ''));
  return async (accountId) => (await read(accountId)).map(toSettings)[0] ?? null;
}

export async function readAccount(db: Database, accountId: string): Promise<AccountSettings | null> {
  const row = await selectAccount(db, accountId).executeTakeFirst();
  return row ? toSettings(row) : null;
}

/** Without test twins. */
export async function listAccounts(db: Database): Promise<AccountSettings[]> {
  const rows = await selectAccounts(db)
    .where('live_account_id', 'is', null)
    .orderBy('accounts.created_at')
    .orderBy('accounts.id')
    .execute();
  return rows.map(toSettings);
}

function toSettings(row: AccountRow): AccountSettings {
  return {
    id: row.id,
    isTest: row.live_account_id !== null,
    clock: toClock(row),
    clientId: row.client_id,
    name: row.name,
    email: row.email,
    clientType: row.client_type,
    contractVersion: row.contract_version,
    contractSigned: row.contract_signed,
    isSpecialRequest: row.is_special_request,
    agreedPickupTime: row.agreed_pickup_time?.slice(0, 5) ?? null,
    minimumPriceCents: row.minimum_price_cents,
    pricePerKgCents: row.price_per_kg_cents,
    paymentMode: row.payment_mode as PaymentMode,
    paymentStatus: row.payment_status as PaymentStatus,
    creditLimitCents: row.credit_limit_cents,
    amountDueCents: row.amount_due_cents,
    gracePeriodEndsAt: row.grace_period_ends_at,
    rateLimits: { minute: row.limit_per_minute, hour: row.limit_per_hour, day: row.limit_per_day },
    smsPerDay: row.sms_per_day,
    retentionDays: row.retention_days,
    pickupAddress: toPickupPlace(row),
    slots: row.slots,
    balanceCents: row.balance_cents,
    closedAt: row.closed_at,
    createdAt: row.created_at,
    settingsVersion: row.settings_version,
    movedTo: row.moved_to,
  };
}

function toPickupPlace(row: AccountRow): PickupPlace | null {
  const { street, city, postal_code: postalCode, country, latitude, longitude } = row;
  if (street === null || city === null || postalCode === null || country === null) return null;
  if (latitude === null || longitude === null) return null;
  return {
    street,
    city,
    postalCode,
    country,
    latitude,
    longitude,
    formattedAddress: row.formatted_address,
    placeId: row.place_id,
  };
}
