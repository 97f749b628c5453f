import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { SCOPES } from '../scopes.ts';
import { PAYMENT_MODES, PAYMENT_STATUSES } from '../statuses.ts';
import { PickupAddress } from './address.ts';

const RateLimits = Closed(
  {
    minute: Type.Integer({ description: 'Requests in a minute.', examples: [60] }),
    hour: Type.Integer({ description: 'Requests in an hour.', examples: [1000] }),
    day: Type.Integer({ description: 'Requests in a day.', examples: [10_000] }),
  },
  { title: 'RateLimits', description: 'How many requests the account may send.' },
);

export const Account = Closed(
  {
    _id: Id('Account id'),
    name: Type.String({ description: 'Name of the business.', examples: ['Atelier Zoé'] }),
    email: Type.String({ description: 'Where the operator writes to.', examples: ['zoe@example.org'] }),
    clientId: Type.String({ description: 'Sent as `X-Client-Id` with every request.', examples: ['nvc_uqqhycgjr38k'] }),
    clientType: Nullable(Type.String({ description: 'Set by the operator; required to create shipments.' })),
    contractVersion: Nullable(Type.String({ description: 'The version of the contract with the operator.' })),
    contractSigned: Type.Boolean({ description: 'Required to create shipments.', examples: [true] }),
    isSpecialRequest: Type.Boolean({
      description: 'Shipments without a slot also wait for `agreedPickupTime`: they start as `programmed`.',
    }),
    agreedPickupTime: Nullable(Type.String({ description: 'Local time, HH:MM.', examples: ['17:30'] })),
    pickupAddressConfigured: Type.Boolean({ description: 'Whether shipments can be created.', examples: [true] }),
    pickupAddress: Nullable(PickupAddress),
    timeSlots: Type.Array(
      Closed(
        {
          id: Id('Slot id'),
          label: Type.String({
            description: 'Name of the slot, which `timeSlot` accepts.',
            examples: ['Matin (9h-12h)'],
          }),
        },
        { title: 'TimeSlot', description: 'A time slot of the account.' },
      ),
      { description: 'The account’s own time slots.' },
    ),
    minimumPrice: Euros({ description: 'Price of an express shipment when `pricePerKg` is null.' }),
    pricePerKg: Nullable(Euros({ description: 'Despite its name, a flat price for a parcel of up to 4 kg.' })),
    paymentMode: OneOf(PAYMENT_MODES, {
      description: '`prepaid`: charged to the balance. `deferred`: invoiced, up to `creditLimit`.',
    }),
    paymentStatus: OneOf(PAYMENT_STATUSES, { description: 'Shipments can be created in `current` and `grace`.' }),
    balance: Euros({ description: 'The sum of the ledger; negative when a deferred account owes money.' }),
    creditLimit: Nullable(Euros({ description: 'The most that a deferred account may owe.' })),
    amountDue: Euros({ description: 'The amount that the account owes now.' }),
    rateLimits: RateLimits,
  },
  { title: 'Account', description: 'Settings, slots and balance of the account.' },
);
export type Account = Static<typeof Account>;

export const AccountAnswer = Closed({ success: Success, account: Account });

export const CredentialsAnswer = Closed({
  success: Success,
  professional: Closed(
    {
      _id: Id('Account id'),
      name: Type.String({ description: 'Name of the business.', examples: ['Atelier Zoé'] }),
      clientId: Type.String({ description: 'The account’s client id.', examples: ['nvc_uqqhycgjr38k'] }),
    },
    { description: 'The account of the key.' },
  ),
  apiKey: Closed(
    {
      name: Nullable(Type.String({ description: 'Name of the key.', examples: ['web shop'] })),
      scopes: Type.Array(OneOf(SCOPES), { description: 'The permissions of the key.' }),
      expiresAt: Nullable(Instant({ description: 'When the key stops working; null: never.' })),
    },
    { description: 'The key of this request.' },
  ),
});

export const PickupAddressAnswer = Closed({ success: Success, pickupAddress: PickupAddress });
