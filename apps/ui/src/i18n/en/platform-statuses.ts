/** Statuses of an invoice at the platform to which it is handed. */
const platformStatuses = {
  waiting: 'Being handed to the platform',
  handed_over: 'At the platform',
  deposited: 'Deposited',
  received: 'Received by the buyer’s platform',
  available: 'Available to the buyer',
  taken_over: 'Taken over',
  approved: 'Approved',
  partly_approved: 'Partly approved',
  disputed: 'Disputed',
  suspended: 'Suspended',
  refused: 'Refused by the buyer',
  payment_sent: 'Payment sent',
  paid: 'Payment received',
  rejected: 'Rejected by the platform',
  other: 'Other status',
};
export default platformStatuses;
