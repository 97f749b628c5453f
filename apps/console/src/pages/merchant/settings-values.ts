import type { ConsolePart, Merchant } from '@navette/contract';
import { orNull } from '@navette/ui/parts/amount.ts';

type Settings = ConsolePart<'updateMerchantSettings', 'body'>['settings'];
type Numeric = number | string; // '' while the field is empty

export interface SettingsValues {
  name: string;
  email: string;
  clientType: string;
  contractSigned: boolean;
  isSpecialRequest: boolean;
  agreedPickupTime: string;
  street: string;
  postalCode: string;
  city: string;
  timeSlots: string[];
  minute: Numeric;
  hour: Numeric;
  day: Numeric;
  smsPerDay: Numeric;
  retentionDays: Numeric;
}

export const valuesOf = (merchant: Merchant): SettingsValues => ({
  name: merchant.name,
  email: merchant.email,
  clientType: merchant.clientType ?? '',
  contractSigned: merchant.contractSigned,
  isSpecialRequest: merchant.isSpecialRequest,
  agreedPickupTime: merchant.agreedPickupTime ?? '',
  street: merchant.pickup?.street ?? '',
  postalCode: merchant.pickup?.postalCode ?? '',
  city: merchant.pickup?.city ?? '',
  timeSlots: merchant.timeSlots,
  ...merchant.rateLimits,
  smsPerDay: merchant.smsPerDay ?? '',
  retentionDays: merchant.retentionDays ?? '',
});

/** The field of a merchant's form that a path of its request belongs to: `settings.pickupAddress.city` is `city`. */
export function fieldOfPath(path: string): string {
  const [first = '', second = ''] = path.replace(/^(settings|terms)\./, '').split(/[.[]/);
  if (first === 'owner') return 'ownerEmail';
  if (first === 'pickupAddress') return second || 'street';
  if (first === 'rateLimits') return second || 'minute';
  return first;
}

/** The settings that the person changed: a colleague's change of another one stays. */
export function changedSettings(before: SettingsValues, after: SettingsValues): Settings {
  const has = (...fields: (keyof SettingsValues)[]) =>
    fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const { street, postalCode, city, minute, hour, day } = after;
  return {
    ...(has('name') ? { name: after.name.trim() } : {}),
    ...(has('email') ? { email: after.email.trim() } : {}),
    ...(has('clientType') ? { clientType: after.clientType.trim() || null } : {}),
    ...(has('contractSigned') ? { contractSigned: after.contractSigned } : {}),
    ...(has('isSpecialRequest') ? { isSpecialRequest: after.isSpecialRequest } : {}),
    ...(has('agreedPickupTime') ? { agreedPickupTime: after.agreedPickupTime || null } : {}),
    ...(has('street', 'postalCode', 'city') ? { pickupAddress: { street, postalCode, city } } : {}),
    ...(has('timeSlots') ? { timeSlots: after.timeSlots } : {}),
    ...(has('minute', 'hour', 'day')
      ? { rateLimits: { minute: Number(minute), hour: Number(hour), day: Number(day) } }
      : {}),
    ...(has('smsPerDay') ? { smsPerDay: orNull(after.smsPerDay) } : {}),
    ...(has('retentionDays') ? { retentionDays: orNull(after.retentionDays) } : {}),
  };
}
