import type { Translations } from '../translations.ts';

const approvals: Translations['approvals'] = {
  title: 'Approvals',
  text: 'What is waiting for a second person, oldest first.',
  acts: { 'account.credited': 'Credit', 'shipment.delivery_confirmed': 'Delivery without a code' },
  subjects: { account: 'Account', shipment: 'Shipment' },
  act: 'Request',
  amount: 'Amount',
  reason: 'Reason',
  requestedBy: 'Requested by',
  note: 'Your reason (optional)',
  outcome: {
    'account.credited': 'If you approve, the amount is added to the account’s balance immediately.',
    'shipment.delivery_confirmed': 'If you approve, the shipment becomes “delivered” immediately.',
  },
  approve: 'Approve',
  decline: 'Decline',
  approved: 'Request approved.',
  declined: 'Request declined.',
  own: 'This is your request: another person must approve it.',
  notAllowed: 'Your role does not allow you to approve this request.',
  gone: 'This request is no longer waiting for a decision.',
  empty: { title: 'No requests waiting', text: 'Credits and deliveries without a code above the limit appear here.' },
};
export default approvals;
