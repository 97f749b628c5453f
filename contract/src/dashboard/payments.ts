import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { DoneAnswer } from './session.ts';

export const PAYMENT_METHODS = ['checkout', 'automatic', 'transfer'] as const;
export const PAYMENT_STATES = [
  'open',
  'processing',
  'succeeded',
  'failed',
  'expired',
  'review',
  'waiting',
  'rejected',
] as const;

/** The bank refused, wants the person to confirm, or the first payment was not made. */
const AUTOMATIC_OFF = ['refused', 'authentication_required', 'not_paid'] as const;

const Payment = Closed(
  {
    id: Id('The payment.'),
    method: OneOf(PAYMENT_METHODS, {
      description: '`checkout`: online, on the page of the payment provider; `transfer`: recorded by the operator.',
    }),
    status: OneOf(PAYMENT_STATES, {
      description:
        '`open`: not paid yet; `processing`: a debit that the bank has not confirmed; `review`: the operator must look at it; `waiting`: a second person of the operator must confirm it. Only `succeeded` is in the ledger.',
    }),
    amount: Euros(),
    refunded: Euros({ description: 'What went back, by a refund or a dispute.' }),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { title: 'Payment' },
);
export type Payment = Static<typeof Payment>;

const PaymentsAnswer = Closed({
  success: Success,
  online: Nullable(
    Closed(
      { minimum: Euros(), maximum: Euros() },
      { description: 'Limits of a payment online; null when the operator offers none.' },
    ),
  ),
  transfer: Nullable(
    Closed(
      {
        beneficiary: Type.String(),
        iban: Type.String(),
        bic: Nullable(Type.String()),
        reference: Type.String({
          description: 'For the text of the transfer. It belongs to this account, and does not change.',
          examples: ['NV7K3QXM'],
        }),
      },
      { description: 'Where to transfer money to; null when the operator shows no account.' },
    ),
  ),
  automatic: Nullable(
    Closed(
      {
        state: OneOf(['pending', 'on', 'off'], {
          description: '`pending`: the first payment, which stores card or account at Stripe, is not confirmed yet.',
        }),
        threshold: Euros({ description: 'A payment is taken when the balance is below it.' }),
        amount: Euros({ description: 'What is taken.' }),
        offReason: Nullable(
          OneOf(AUTOMATIC_OFF, {
            description: 'Why the service switched it off; null when it is not off, or a member did.',
          }),
        ),
        isReplacing: Type.Boolean({
          description:
            'A payment that stores another card or account is not confirmed yet. Until then the present one is used.',
        }),
      },
      { description: 'Automatic payments; null when they were never set up.' },
    ),
  ),
  contact: Nullable(Type.String({ description: 'How to reach the operator: an e-mail address, a number or a URL.' })),
  payments: Type.Array(Payment, { description: 'The latest fifty, newest first.' }),
});
export type Payments = Static<typeof PaymentsAnswer>;

export const paymentEndpoints = defineEndpoints({
  readPayments: {
    section: 'Account',
    summary: 'Read how the account can be paid for, and its latest payments',
    answers: { 200: PaymentsAnswer },
    needs: 'read',
  },
  startTopUp: {
    section: 'Account',
    summary: 'Start a payment by card or SEPA debit on the payment provider’s page',
    description:
      'Nothing is credited before the payment provider confirms the payment. A repeated `requestId` returns the same payment and page.',
    body: Type.Object({
      amount: Euros({ minimum: 0.01, maximum: 100_000, description: 'EUR, at most two decimals.' }),
      requestId: Type.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'Chosen by the app, one per payment: the same request sent again starts nothing new.',
      }),
      threshold: Type.Optional(
        Euros({
          minimum: 0,
          maximum: 100_000,
          description:
            'Also stores card or account at Stripe, and takes the same amount again whenever the balance is below this. Needs an owner. A method that is stored already stays in use until this payment is confirmed.',
        }),
      ),
    }),
    answers: {
      201: Closed({
        success: Success,
        payment: Payment,
        url: Nullable(Type.String({ description: 'Where the person pays; null when the payment is no longer open.' })),
      }),
    },
    refusals: ['TOP_UP_UNAVAILABLE', 'TOP_UP_AMOUNT_REFUSED', 'TOO_MANY_TOP_UPS', 'PAYMENT_PROVIDER_DOWN'],
    needs: 'pay',
  },
  changeAutomaticTopUp: {
    section: 'Account',
    summary: 'Change limit and amount of automatic payments',
    body: Type.Object({
      threshold: Euros({ minimum: 0, maximum: 100_000, description: 'EUR, at most two decimals.' }),
      amount: Euros({ minimum: 0.01, maximum: 100_000, description: 'EUR, at most two decimals.' }),
    }),
    answers: { 200: DoneAnswer },
    refusals: ['TOP_UP_AMOUNT_REFUSED', 'AUTOMATIC_TOP_UP_OFF'],
    needs: 'own',
  },
  stopAutomaticTopUp: {
    section: 'Account',
    summary: 'Switch automatic payments off',
    description: 'A payment that is under way is not stopped.',
    answers: { 200: DoneAnswer },
    needs: 'own',
  },
  readPayment: {
    section: 'Account',
    summary: 'Read one payment',
    params: Type.Object({ id: Id('The payment.') }),
    answers: { 200: Closed({ success: Success, payment: Payment }) },
    needs: 'read',
    findsOne: true,
  },
});
