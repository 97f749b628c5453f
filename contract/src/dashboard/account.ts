import Type, { type Static } from 'typebox';
import { MAX_PAGE_SIZE } from '../limits.ts';
import { Closed, Euros, File, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { Account, PickupAddressAnswer } from '../schemas/account.ts';
import { PickupAddressInput } from '../schemas/address.ts';
import { listFilters } from '../schemas/shipment.ts';
import { PAYMENT_STATUSES } from '../statuses.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES } from './roles.ts';

/** The 403 refusals of a creation, in the order of the checks. */
export const BLOCKS = [
  'CLIENT_TYPE_REQUIRED',
  'CONTRACT_SIGNATURE_REQUIRED',
  'PICKUP_ADDRESS_REQUIRED',
  'ACCOUNT_SUSPENDED',
  'PAYMENT_REQUIRED',
  'INSUFFICIENT_BALANCE',
] as const;
export type BlockSlug = (typeof BLOCKS)[number];

export const Block = Closed(
  {
    error: OneOf(BLOCKS),
    amountDue: Type.Optional(Euros()),
    paymentStatus: Type.Optional(OneOf(PAYMENT_STATUSES)),
    gracePeriodEndsAt: Type.Optional(Nullable(Instant())),
    currentBalance: Type.Optional(Euros()),
    requiredAmount: Type.Optional(Euros({ description: 'The price of the account’s cheapest shipment.' })),
  },
  {
    title: 'Block',
    description: 'A reason for which any creation would be refused now, with the fields of the refusal.',
  },
);
export type Block = Static<typeof Block>;

export const PRICE_EXAMPLES = ['express', 'slot', 'evening', 'weekend'] as const;
const PriceExample = Closed(
  { kind: OneOf(PRICE_EXAMPLES), weight: Type.Number(), price: Euros() },
  { title: 'PriceExample', description: 'Computed like the price of a creation.' },
);

const AccountPageAnswer = Closed({
  success: Success,
  account: Account,
  gracePeriodEndsAt: Nullable(Instant()),
  blocks: Type.Array(Block, {
    description: 'Every reason for which creations are refused now; empty when there is none.',
  }),
  priceExamples: Type.Array(PriceExample),
});
export type AccountPage = Static<typeof AccountPageAnswer>;

const ENTRY_KINDS = ['credit', 'charge', 'refund'] as const;
const LedgerEntry = Closed(
  {
    entry: Type.Integer({ description: '1, 2, 3… without gaps.' }),
    kind: OneOf(ENTRY_KINDS),
    amount: Euros({ description: 'Negative for a charge.' }),
    balanceAfter: Euros(),
    note: Nullable(Type.String()),
    shipment: Nullable(
      Closed({ id: Id('Shipment id'), referenceNumber: Type.String(), orderId: Nullable(Type.String()) }),
    ),
    createdAt: Instant(),
  },
  { title: 'LedgerEntry' },
);
export type LedgerEntry = Static<typeof LedgerEntry>;

const ledgerFilters = {
  from: listFilters.from,
  to: listFilters.to,
};
export const LedgerQuery = Type.Object({
  ...ledgerFilters,
  cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`nextCursor` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50 })),
});
export type LedgerQuery = Static<typeof LedgerQuery>;

export const accountEndpoints = defineEndpoints({
  readAccount: {
    section: 'Account',
    summary: 'Read settings, prices, balance, and reasons that block creations',
    answers: { 200: AccountPageAnswer },
    needs: 'read',
  },
  setPickupAddress: {
    section: 'Account',
    summary: 'Set the pickup address',
    body: PickupAddressInput,
    answers: { 200: PickupAddressAnswer },
    refusals: ['PICKUP_ADDRESS_NOT_GEOCODABLE'],
    needs: 'ship',
  },
  listLedger: {
    section: 'Account',
    summary: 'List credits, charges and refunds, newest first',
    query: LedgerQuery,
    answers: {
      200: Closed({ success: Success, entries: Type.Array(LedgerEntry), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'read',
  },
  exportLedger: {
    section: 'Account',
    summary: 'Stream the ledger as CSV',
    query: Type.Object({ ...ledgerFilters, language: Type.Optional(OneOf(LANGUAGES, { default: 'fr' })) }),
    answers: { 200: File('text/csv') },
    needs: 'read',
  },
});
