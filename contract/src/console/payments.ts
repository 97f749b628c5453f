import Type, { type Static } from 'typebox';
import { PAYMENT_METHODS, PAYMENT_STATES } from '../dashboard/payments.ts';
import { DoneAnswer } from '../dashboard/session.ts';
import { Closed, Cursor, Euros, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { Reason } from './reason.ts';

const ConsolePayment = Closed(
  {
    id: Id('The payment.'),
    merchant: Closed({ id: Id('The account.'), name: Type.String() }),
    method: OneOf(PAYMENT_METHODS),
    status: OneOf(PAYMENT_STATES, {
      description:
        '`review`: Stripe received another amount than asked for; `waiting`: a second person must confirm it.',
    }),
    amount: Euros(),
    refunded: Euros({ description: 'What went back, by a refund or a dispute.' }),
    failure: Nullable(Type.String({ description: 'Why it failed, as a code.' })),
    bankId: Nullable(Type.String({ description: 'The bank’s id of a transfer.' })),
    receivedOn: Nullable(Type.String({ format: 'date', description: 'Day of a transfer.' })),
    providerId: Nullable(Type.String({ description: 'Stripe’s id, to search for in Stripe’s dashboard.' })),
    received: Nullable(
      Closed(
        {
          amount: Type.Number({
            description: 'A hundredth of the number that Stripe reports: the amount, for currencies with two decimals.',
          }),
          currency: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
        },
        { description: 'What Stripe received where it is not what was asked for.' },
      ),
    ),
    isOwn: Type.Boolean({ description: 'Recorded by the person who asks, who cannot confirm it.' }),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { title: 'ConsolePayment' },
);
export type ConsolePayment = Static<typeof ConsolePayment>;

const Payer = Text({
  maxLength: 60,
  description: 'The reference of the transfer, such as `NV7K3QXM`, or the id of the account.',
});

export const paymentEndpoints = defineConsoleEndpoints({
  listConsolePayments: {
    section: 'Payments',
    summary: 'List payments of merchants, newest first',
    query: Type.Object({
      status: Type.Optional(OneOf(PAYMENT_STATES)),
      account: Type.Optional(Type.String({ maxLength: 36, description: 'Of this account only.' })),
      cursor: Cursor,
    }),
    answers: {
      200: Closed({ success: Success, payments: Type.Array(ConsolePayment), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'money',
  },
  findPayer: {
    section: 'Payments',
    summary: 'Find the account that a transfer’s reference belongs to',
    query: Type.Object({ payer: Payer }),
    answers: {
      200: Closed({
        success: Success,
        merchant: Nullable(Closed({ id: Id('The account.'), name: Type.String(), balance: Euros() })),
      }),
    },
    needs: 'money',
  },
  recordTransfer: {
    section: 'Payments',
    summary: 'Record a bank transfer: it is credited at once',
    description: 'Above the limit of one person on one day, it waits for a second person. The same bank id is refused.',
    body: Type.Object({
      payer: Payer,
      amount: Euros({ minimum: 0.01, maximum: 10_000_000, description: 'EUR, at most two decimals.' }),
      bankId: Text({ maxLength: 64, description: 'The bank’s own id of the transfer. Spaces and case do not matter.' }),
      receivedOn: Type.String({ format: 'date', maxLength: 10, description: 'Day of the bank statement.' }),
    }),
    answers: { 201: Closed({ success: Success, payment: ConsolePayment }) },
    refusals: ['TRANSFER_KNOWN', 'NOT_POSSIBLE_NOW'],
    needs: 'money',
  },
  decideTransfer: {
    section: 'Payments',
    summary: 'Confirm or reject a transfer or a reviewed payment that waits, as the second person',
    params: Type.Object({ id: Id('The payment.') }),
    body: Type.Object({
      approve: Type.Boolean({ description: 'False: it is not credited, and the bank id of a transfer is free again.' }),
    }),
    answers: { 200: DoneAnswer },
    refusals: ['OWN_REQUEST', 'CHANGED_MEANWHILE'],
    needs: 'money',
    findsOne: true,
  },
  decideReview: {
    section: 'Payments',
    summary: 'Credit or reject a payment whose received amount is not the one asked for',
    description:
      'Credits what was received. Above the limit of one person on one day, it waits for a second person. A rejected payment is not credited: return the money in Stripe.',
    params: Type.Object({ id: Id('The payment.') }),
    body: Type.Object({
      approve: Type.Boolean({ description: 'False: nothing is credited.' }),
      received: Type.Number({
        minimum: 0,
        maximum: 100_000_000,
        description: 'The received amount that the person saw. Another one now is refused.',
      }),
      reason: Reason,
    }),
    answers: { 200: Closed({ success: Success, payment: ConsolePayment }) },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'money',
    findsOne: true,
  },
});
