import Type, { type Static } from 'typebox';
import { QuoteAnswer, QuoteRequest } from '../dashboard/shipment-quote.ts';
import { VIEW_MINUTES } from '../dashboard/view-as.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { PAYMENT_MODES, PAYMENT_STATUSES, SHIPMENT_STATUSES, type ShipmentStatus } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';

const MerchantParams = Type.Object({ id: Id('The account.') });

const Merchant = Closed(
  {
    id: Id('The account.'),
    name: Type.String(),
    email: Type.String(),
    clientId: Type.String(),
    clientType: Nullable(Type.String()),
    contractVersion: Nullable(Type.String()),
    contractSigned: Type.Boolean(),
    isSpecialRequest: Type.Boolean(),
    agreedPickupTime: Nullable(Type.String({ description: 'Local time, HH:MM.' })),
    pickupAddress: Nullable(Type.String()),
    pickup: Nullable(Closed({ street: Type.String(), city: Type.String(), postalCode: Type.String() })),
    timeSlots: Type.Array(Type.String()),
    minimumPrice: Euros(),
    pricePerKg: Nullable(Euros()),
    paymentMode: OneOf(PAYMENT_MODES),
    paymentStatus: OneOf(PAYMENT_STATUSES),
    balance: Euros(),
    creditLimit: Nullable(Euros()),
    amountDue: Euros(),
    gracePeriodEndsAt: Nullable(Instant()),
    rateLimits: Closed({ minute: Type.Integer(), hour: Type.Integer(), day: Type.Integer() }),
    smsPerDay: Nullable(Type.Integer()),
    retentionDays: Nullable(Type.Integer()),
    createdAt: Instant(),
    closedAt: Nullable(Instant()),
    version: Type.String({ description: 'Of the settings: send it with a change.' }),
  },
  { title: 'Merchant' },
);
export type Merchant = Static<typeof Merchant>;

const MerchantPage = Closed(
  {
    merchant: Merchant,
    byStatus: Closed(
      Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
        ShipmentStatus,
        Type.TInteger
      >,
    ),
    days: Type.Array(
      Closed({
        date: Type.String({ format: 'date' }),
        shipments: Type.Integer(),
        spend: Euros(),
        delivered: Type.Integer(),
        onTime: Type.Integer(),
      }),
      { description: 'The last thirty days, oldest first.' },
    ),
    keys: Type.Array(
      Closed({
        id: Id('The key.'),
        name: Nullable(Type.String()),
        hint: Type.String({ description: 'Its last four characters.' }),
        scopes: Type.Array(Type.String()),
        lastUsedAt: Nullable(Instant()),
        expiresAt: Nullable(Instant()),
        revokedAt: Nullable(Instant()),
      }),
    ),
    members: Type.Array(
      Closed({
        id: Id('The member.'),
        name: Type.String(),
        email: Type.String(),
        role: Type.String(),
        secondFactor: Type.Boolean(),
        lastSeenAt: Nullable(Instant()),
      }),
    ),
    webhooks: Type.Array(
      Closed({
        id: Id('The webhook.'),
        url: Type.String({ description: 'Without its query, which may contain a secret.' }),
        isActive: Type.Boolean(),
        failingSince: Nullable(Instant()),
        pausedAt: Nullable(Instant()),
        delivered: Type.Integer({ description: 'Of the latest twenty deliveries.' }),
        dropped: Type.Integer(),
      }),
    ),
    errors: Nullable(
      Type.Array(
        Closed({
          at: Instant(),
          requestId: Type.String(),
          method: Type.String(),
          route: Type.String(),
          status: Type.Integer(),
          error: Nullable(Type.String()),
          fields: Type.Array(Type.String()),
        }),
        { description: 'The latest refused requests, newest first; null when the log cannot be read.' },
      ),
    ),
    ledger: Type.Array(
      Closed({
        entry: Type.Integer(),
        kind: Type.String(),
        amount: Euros(),
        balanceAfter: Euros(),
        note: Nullable(Type.String()),
        shipment: Nullable(Closed({ id: Id('The shipment.'), reference: Type.String() })),
        at: Instant(),
      }),
      { description: 'The latest entries, newest first.' },
    ),
  },
  { title: 'MerchantPage' },
);
export type MerchantPage = Static<typeof MerchantPage>;

export const merchantPageEndpoints = defineConsoleEndpoints({
  readMerchantPage: {
    section: 'Merchants',
    summary: 'Read a merchant: settings, money, keys, members, webhooks, errors and volumes',
    params: MerchantParams,
    answers: { 200: Closed({ success: Success, page: MerchantPage }) },
    needs: 'read',
    findsOne: true,
  },
  viewAsMerchant: {
    section: 'Merchants',
    summary: 'View the merchant’s dashboard, read only',
    description: `Sets a cookie for the dashboard, for ${VIEW_MINUTES} minutes. The view ends with the session, and when the role changes; it replaces an earlier one. Nothing can be changed in it, and no secret is shown. The merchant’s owners see name and reason in their security log.`,
    params: MerchantParams,
    body: Type.Object({
      reason: Text({ maxLength: 500, description: 'Kept in the log of acts, and shown to the merchant.' }),
    }),
    answers: { 201: Closed({ success: Success, expiresAt: Instant() }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'support',
    findsOne: true,
  },
  quoteForMerchant: {
    section: 'Merchants',
    summary: 'Simulate the price of a shipment, with its steps; creates nothing',
    params: MerchantParams,
    body: QuoteRequest,
    answers: { 200: QuoteAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'read',
    findsOne: true,
  },
});
