import Type, { type Static } from 'typebox';
import { LANGUAGES, ROLES } from '../dashboard/roles.ts';
import { DoneAnswer } from '../dashboard/session.ts';
import { Closed, Cursor, Email, Euros, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { PAYMENT_MODES, PAYMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { Reason } from './reason.ts';

const MerchantParams = Type.Object({ id: Id('The account.') });
const MemberParams = Type.Object({ id: Id('The account.'), memberId: Id('The member.') });
const Version = Type.String({ maxLength: 60, description: '`version` of the merchant that the person has read.' });

const Name = Text({ maxLength: 200 });
const Price = Type.Number({ minimum: 0, maximum: 10_000_000, description: 'EUR, at most two decimals.' });
const Limit = Type.Integer({ minimum: 0, maximum: 2_000_000_000 });

/** Contract, pickup and limits: what support changes. */
const MerchantSettings = {
  name: Name,
  email: Email(),
  clientType: Nullable(Name),
  contractSigned: Type.Boolean(),
  isSpecialRequest: Type.Boolean(),
  agreedPickupTime: Nullable(
    Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'Local time, HH:MM.' }),
  ),
  pickupAddress: Type.Object({ street: Name, city: Name, postalCode: Text({ maxLength: 20 }) }),
  timeSlots: Type.Array(Name, { maxItems: 100, description: 'Each contains its hours: `Matin (9h-12h)`.' }),
  rateLimits: Type.Object({ minute: Limit, hour: Limit, day: Limit }),
  smsPerDay: Nullable(Limit),
  retentionDays: Nullable(Type.Integer({ minimum: 30, maximum: 36_500 })),
};

/** Prices and payment: what the accountant changes. */
const MerchantTerms = {
  minimumPrice: Price,
  pricePerKg: Nullable(Price),
  paymentMode: OneOf(PAYMENT_MODES),
  paymentStatus: OneOf(PAYMENT_STATUSES, {
    description: '`suspended` stops new shipments; `current` allows them again.',
  }),
  gracePeriodEndsAt: Nullable(Instant()),
  creditLimit: Nullable(Price),
  amountDue: Nullable(Price),
};

const NewMerchant = Type.Object({
  name: Name,
  email: Email(),
  clientType: Type.Optional(Name),
  contractSigned: Type.Boolean(),
  minimumPrice: Price,
  pricePerKg: Type.Optional(Price),
  paymentMode: OneOf(PAYMENT_MODES),
  pickupAddress: Type.Optional(MerchantSettings.pickupAddress),
  timeSlots: Type.Optional(MerchantSettings.timeSlots),
  owner: Type.Optional(
    Type.Object(
      { email: Email(), language: OneOf(LANGUAGES) },
      { description: 'Invited by e-mail, as the first owner.' },
    ),
  ),
  requestId: Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'Chosen by the app, one per form: the same request sent again creates nothing, and finds the account.',
  }),
});

const ListedMerchant = Closed(
  {
    id: Id('The account.'),
    name: Type.String(),
    email: Type.String(),
    paymentMode: OneOf(PAYMENT_MODES),
    paymentStatus: OneOf(PAYMENT_STATUSES),
    balance: Euros(),
    createdAt: Instant(),
    closedAt: Nullable(Instant()),
  },
  { title: 'ListedMerchant' },
);
export type ListedMerchant = Static<typeof ListedMerchant>;

const Change = { version: Version, reason: Reason };

export const merchantActEndpoints = defineConsoleEndpoints({
  listMerchants: {
    section: 'Merchants',
    summary: 'List merchants, newest first',
    query: Type.Object({
      cursor: Cursor,
    }),
    answers: {
      200: Closed({ success: Success, merchants: Type.Array(ListedMerchant), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'read',
  },
  createMerchant: {
    section: 'Merchants',
    summary: 'Create a merchant, and invite the first owner',
    body: NewMerchant,
    answers: { 201: Closed({ success: Success, id: Id('The account.'), clientId: Type.String() }) },
    refusals: ['SETTING_REFUSED'],
    needs: 'administer',
  },
  updateMerchantSettings: {
    section: 'Merchants',
    summary: 'Change contract, pickup, slots and limits; absent settings stay',
    params: MerchantParams,
    body: Type.Object({ ...Change, settings: Type.Partial(Type.Object(MerchantSettings)) }),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE', 'SETTING_REFUSED'],
    needs: 'support',
    findsOne: true,
  },
  updateMerchantTerms: {
    section: 'Merchants',
    summary: 'Change prices and payment, suspend and reactivate; absent settings stay',
    params: MerchantParams,
    body: Type.Object({ ...Change, terms: Type.Partial(Type.Object(MerchantTerms)) }),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE', 'SETTING_REFUSED'],
    needs: 'money',
    findsOne: true,
  },
  closeMerchant: {
    section: 'Merchants',
    summary: 'Close a merchant’s account permanently: its keys and members are refused from now on',
    params: MerchantParams,
    body: Type.Object(Change),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'administer',
    findsOne: true,
  },
  inviteMerchantMember: {
    section: 'Merchants',
    summary: 'Invite a person to the merchant’s dashboard by e-mail',
    description: 'Replaces an open invitation of the same address, whose link becomes invalid.',
    params: MerchantParams,
    body: Type.Object({ email: Email(), role: OneOf(ROLES), language: OneOf(LANGUAGES) }),
    answers: { 201: DoneAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  removeMerchantMember: {
    section: 'Merchants',
    summary: 'Remove a member of a merchant: their sessions end at once',
    params: MemberParams,
    body: Type.Object({ reason: Reason }),
    answers: { 200: DoneAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  resetMemberSecondFactor: {
    section: 'Merchants',
    summary: 'Remove the second factor of a member who lost phone and recovery codes',
    description: 'Verify the person’s identity first. Ends their sessions, and notifies them by e-mail.',
    params: MemberParams,
    body: Type.Object({ reason: Reason }),
    answers: { 200: DoneAnswer },
    needs: 'administer',
    findsOne: true,
  },
  revokeMerchantKey: {
    section: 'Merchants',
    summary: 'Revoke an API key permanently, as after a leak',
    params: Type.Object({ id: Id('The key.') }),
    body: Type.Object({ reason: Reason }),
    answers: { 200: DoneAnswer },
    needs: 'support',
    findsOne: true,
  },
});
