import {
  DEFAULT_RATE_LIMITS,
  Email,
  Nullable,
  OneOf,
  PAYMENT_MODES,
  PAYMENT_STATUSES,
  PickupAddressInput,
} from '@navette/contract';
import Type, { type Static } from 'typebox';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import { compileInputValidator } from '../../validation/compile-validator.ts';
import { withoutUndefined } from '../../validation/without-undefined.ts';
import { toCents } from '../ledger/index.ts';
import { findHoursIn } from '../slots/index.ts';

const Euros = Type.Number({ minimum: 0, maximum: 10_000_000 });
const Limit = Type.Integer({ minimum: 0, maximum: 2_000_000_000 });
const Name = Type.String({ minLength: 1, maxLength: 200 });

const AccountInput = Type.Partial(
  Type.Object({
    name: Name,
    email: Email(),
    clientType: Nullable(Name),
    contractVersion: Nullable(Name),
    contractSigned: Type.Boolean(),
    isSpecialRequest: Type.Boolean(),
    agreedPickupTime: Nullable(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
    pickupAddress: Type.Object({
      ...PickupAddressInput.properties,
      formattedAddress: Type.Optional(Name),
      placeId: Type.Optional(Name),
    }),
    minimumPrice: Euros,
    pricePerKg: Nullable(Euros),
    paymentMode: OneOf(PAYMENT_MODES),
    creditLimit: Nullable(Euros),
    paymentStatus: OneOf(PAYMENT_STATUSES),
    amountDue: Nullable(Euros),
    gracePeriodEndsAt: Nullable(Type.String({ format: 'date-time' })),
    timeSlots: Type.Array(Type.Object({ label: Name }, { additionalProperties: false }), { maxItems: 100 }),
    rateLimits: Type.Object(
      { minute: Type.Optional(Limit), hour: Type.Optional(Limit), day: Type.Optional(Limit) },
      { additionalProperties: false },
    ),
    smsPerDay: Nullable(Limit),
    retentionDays: Nullable(Type.Integer({ minimum: LOGS_KEPT_DAYS })),
  }),
  { additionalProperties: false },
);

/** The settings an operator may set, as JSON; all are optional when changing an account. */
export type AccountInput = Static<typeof AccountInput>;

const validate = compileInputValidator<AccountInput>(AccountInput);

/** Every problem of the input as a message. Unknown names are problems too, so that a typo is not ignored. */
export function findProblems(input: unknown, required: readonly (keyof AccountInput)[]): string[] {
  if (!validate(input)) {
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const field = instancePath.slice(1).replaceAll('/', '.') || params.additionalProperty || 'input';
      if (params.allowedValues) return `${field}: must be one of ${params.allowedValues.join(', ')}`;
      return `${field}: ${params.additionalProperty ? 'unknown setting' : message}`;
    });
  }
  const euros = [input.minimumPrice, input.pricePerKg, input.creditLimit, input.amountDue];
  return [
    ...required.filter((name) => input[name] === undefined).map((name) => `${name}: required`),
    ...euros
      .filter((amount) => amount != null && toCents(amount) === null)
      .map((amount) => `${amount}: amounts have at most two decimals`),
    ...(input.timeSlots ?? [])
      .filter(({ label }) => findHoursIn(label) === null)
      .map(({ label }) => `timeSlots: "${label}" must name its hours, for example "Matin (9h-12h)" or "14h-16h"`),
  ];
}

/** The columns of `accounts` that the input sets; absent settings stay unchanged. */
export function toColumns(input: AccountInput) {
  const cents = (euros: number | null | undefined) => (euros == null ? euros : toCents(euros));
  return withoutUndefined({
    name: input.name,
    email: input.email,
    client_type: input.clientType,
    contract_version: input.contractVersion,
    contract_signed: input.contractSigned,
    is_special_request: input.isSpecialRequest,
    agreed_pickup_time: input.agreedPickupTime,
    minimum_price_cents: cents(input.minimumPrice) ?? undefined,
    price_per_kg_cents: cents(input.pricePerKg),
    payment_mode: input.paymentMode,
    credit_limit_cents: cents(input.creditLimit),
    payment_status: input.paymentStatus,
    amount_due_cents: cents(input.amountDue),
    grace_period_ends_at: input.gracePeriodEndsAt,
    limit_per_minute: input.rateLimits?.minute,
    limit_per_hour: input.rateLimits?.hour,
    limit_per_day: input.rateLimits?.day,
    sms_per_day: input.smsPerDay,
    retention_days: input.retentionDays,
  });
}

export const defaultLimits = {
  limit_per_minute: DEFAULT_RATE_LIMITS.minute,
  limit_per_hour: DEFAULT_RATE_LIMITS.hour,
  limit_per_day: DEFAULT_RATE_LIMITS.day,
};
