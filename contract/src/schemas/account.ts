import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { SCOPES } from '../scopes.ts';
import { PAYMENT_MODES, PAYMENT_STATUSES } from '../statuses.ts';
import { PickupAddress } from './address.ts';

const RateLimits = Closed(
  { minute: Type.Integer(), hour: Type.Integer(), day: Type.Integer() },
  { title: 'RateLimits' },
);

export const Account = Closed(
  {
    _id: Id('Account id'),
    name: Type.String(),
    email: Type.String(),
    clientId: Type.String(),
    clientType: Nullable(Type.String({ description: 'Set by the operator; required to create shipments.' })),
    contractVersion: Nullable(Type.String()),
    contractSigned: Type.Boolean(),
    isSpecialRequest: Type.Boolean(),
    agreedPickupTime: Nullable(Type.String({ description: 'Local time, HH:MM.', examples: ['17:30'] })),
    pickupAddressConfigured: Type.Boolean(),
    pickupAddress: Nullable(PickupAddress),
    timeSlots: Type.Array(
      Closed({ id: Id('Slot id'), label: Type.String({ examples: ['Matin (9h-12h)'] }) }, { title: 'TimeSlot' }),
    ),
    minimumPrice: Euros(),
    pricePerKg: Nullable(Euros({ description: 'Despite its name, a flat price for a parcel of up to 4 kg.' })),
    paymentMode: OneOf(PAYMENT_MODES),
    paymentStatus: OneOf(PAYMENT_STATUSES),
    balance: Euros({ description: 'The sum of the ledger; negative when a deferred account owes money.' }),
    creditLimit: Nullable(Euros()),
    amountDue: Euros(),
    rateLimits: RateLimits,
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

export const AccountAnswer = Closed({ success: Success, account: Account });

export const CredentialsAnswer = Closed({
  success: Success,
  professional: Closed({ _id: Id('Account id'), name: Type.String(), clientId: Type.String() }),
  apiKey: Closed({
    name: Nullable(Type.String()),
    scopes: Type.Array(OneOf(SCOPES)),
    expiresAt: Nullable(Instant()),
  }),
});

export const PickupAddressAnswer = Closed({ success: Success, pickupAddress: PickupAddress });
