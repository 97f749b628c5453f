import type { Account, PickupAddress } from '@navette/contract';
import { toEuros } from '../ledger/index.ts';
import { type AccountSettings, amountDueCents, type PickupPlace } from './account.ts';

const eurosOrNull = (cents: number | null) => (cents === null ? null : toEuros(cents));

export function presentPickupAddress(place: PickupPlace): PickupAddress {
  return {
    location: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    street: place.street,
    city: place.city,
    postalCode: place.postalCode,
    country: place.country,
    ...(place.formattedAddress === null ? {} : { formattedAddress: place.formattedAddress }),
    ...(place.placeId === null ? {} : { placeId: place.placeId }),
  };
}

export function presentAccount(account: AccountSettings): Account {
  return {
    _id: account.id,
    name: account.name,
    email: account.email,
    clientId: account.clientId,
    clientType: account.clientType,
    contractVersion: account.contractVersion,
    contractSigned: account.contractSigned,
    isSpecialRequest: account.isSpecialRequest,
    agreedPickupTime: account.agreedPickupTime,
    pickupAddressConfigured: account.pickupAddress !== null,
    pickupAddress: account.pickupAddress && presentPickupAddress(account.pickupAddress),
    timeSlots: account.slots.map(({ id, label }) => ({ id, label })),
    minimumPrice: toEuros(account.minimumPriceCents),
    pricePerKg: eurosOrNull(account.pricePerKgCents),
    paymentMode: account.paymentMode,
    paymentStatus: account.paymentStatus,
    balance: toEuros(account.balanceCents),
    creditLimit: eurosOrNull(account.creditLimitCents),
    amountDue: toEuros(amountDueCents(account)),
    rateLimits: account.rateLimits,
  };
}
