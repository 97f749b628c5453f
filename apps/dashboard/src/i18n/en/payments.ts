import type { Translations } from '../translations.ts';

const payments: Translations['payments'] = {
  title: 'Payments',
  text: 'Top up the account or pay what is due. The amount is credited as soon as the payment is confirmed.',
  noWay: 'Payments are made through your operator',
  latest: 'Latest payments',
  seeLedger: 'View all transactions',
  refunded: 'Of which refunded or disputed:',
  emptyTitle: 'No payments yet',
  emptyText: 'Your online payments and received bank transfers will appear here.',
  online: {
    title: 'By card or SEPA debit',
    text: 'You pay on Stripe’s secure page, then come back here. A card is credited at once, a debit after a few days.',
    amount: 'Amount',
    bounds: 'From {{minimum}} to {{maximum}}',
    pay: 'Pay {{amount}}',
    payNothing: 'Pay',
    notAllowed: 'Your role does not allow online payments. Ask an account owner.',
  },
  automatic: {
    title: 'Automatic top-up',
    text: 'Never run out: when the balance falls below a limit, an amount is charged, at most three times a day. The first payment, on Stripe’s page, stores your card or bank account there.',
    isOn: 'On: when the balance falls below the limit, the amount is charged to the payment method stored at Stripe, at most three times a day.',
    pending: 'It will be on as soon as the first payment is confirmed.',
    replace: 'Pay {{amount}} with another method and store it',
    replacing:
      'Another payment method is waiting for its first payment to be confirmed. Until then, the present one is charged.',
    threshold: 'When the balance falls below',
    thresholdMissing: 'Enter a balance',
    amount: 'Amount charged',
    start: 'Switch on and pay {{amount}}',
    save: 'Save',
    saved: 'Automatic top-up changed',
    stop: 'Switch off',
    stopTitle: 'Switch automatic top-up off?',
    stopText: 'Nothing more will be charged automatically. A debit already in progress is not cancelled.',
    notAllowed: 'Only an account owner can change it.',
    off: {
      refused: 'Switched off: the bank declined the last payment. Switch it on again with another payment method.',
      authentication_required:
        'Switched off: the bank wants you to confirm. Switch it on again and pay on Stripe’s page.',
      not_paid: 'Switched off: the first payment was not made.',
    },
  },
  transfer: {
    title: 'By bank transfer',
    text: 'Put the reference in the payment details of your transfer, so that your account can be credited.',
    beneficiary: 'Beneficiary',
    reference: 'Reference to quote',
    iban: 'IBAN',
    bic: 'BIC',
    delay:
      'A transfer is credited once your operator has recorded it, usually one or two working days after you send it.',
  },
  contact: {
    at: 'Contact your operator:',
    unknown: 'Contact your operator.',
  },
  wayOut: {
    pay: 'Top up or pay',
    address: 'Add the address',
  },
  methods: {
    checkout: 'Online payment',
    automatic: 'Automatic top-up',
    transfer: 'Bank transfer',
  },
  states: {
    open: 'Not paid',
    processing: 'Debit in progress',
    succeeded: 'Credited',
    failed: 'Failed',
    expired: 'Abandoned',
    review: 'Being checked',
    waiting: 'Being checked',
    rejected: 'Rejected',
  },
  outcome: {
    open: {
      title: 'Payment of {{amount}}: waiting for confirmation',
      text: 'Stripe has not confirmed this payment yet. This page updates itself; you may also leave it.',
    },
    left: {
      title: 'The payment of {{amount}} is not complete',
      text: 'Nothing was charged. You can resume it within the hour.',
      resume: 'Resume payment',
    },
    processing: {
      title: 'Debit of {{amount}} in progress',
      text: 'Your bank still has to confirm it, which takes a few days. The amount is not credited yet.',
    },
    succeeded: {
      title: '{{amount}} credited',
      text: 'The payment is confirmed and appears in your transactions.',
    },
    failed: {
      title: 'The payment of {{amount}} failed',
      text: 'Nothing was credited. Try another card or bank account.',
    },
    expired: {
      title: 'The payment of {{amount}} was abandoned',
      text: 'The payment page has expired and nothing was charged. You can start another payment.',
    },
    review: {
      title: 'The payment of {{amount}} is being checked',
      text: 'The amount received is not the one requested. Your operator checks it before crediting it.',
    },
    waiting: {
      title: 'The payment of {{amount}} is being checked',
      text: 'Your operator checks it before crediting it.',
    },
    rejected: {
      title: 'The payment of {{amount}} was not credited',
      text: 'Your operator rejected it after a check, and returns the money. Contact them for the reason.',
    },
  },
};
export default payments;
