import type { Payment } from '@navette/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const ASK_AGAIN_MS = 3_000;

export const paymentsQuery = queryOptions({ queryKey: ['payments'], queryFn: () => call('readPayments') });

/** Asked again while the payment provider has not confirmed it: the page is opened before the confirmation arrives. */
export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payment', id],
    queryFn: async () => (await call('readPayment', { params: { id } })).payment,
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? ASK_AGAIN_MS : false),
  });

export const STATE_COLOURS: Record<Payment['status'], string> = {
  open: 'gray',
  processing: 'blue',
  succeeded: 'green',
  failed: 'red',
  expired: 'gray',
  review: 'orange',
  waiting: 'blue',
  rejected: 'red',
};
