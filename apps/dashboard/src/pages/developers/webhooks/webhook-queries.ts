import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export const webhooksQuery = queryOptions({ queryKey: ['webhooks'], queryFn: () => call('listWebhooks') });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: async () => (await call('readWebhook', { params: { id } })).webhook,
  });

export const deliveriesQuery = (id: string, failedOnly: boolean) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', failedOnly],
    queryFn: ({ pageParam }) =>
      call('listWebhookDeliveries', {
        params: { id },
        query: { ...(failedOnly ? { status: 'dropped' } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const resendsQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'resends'],
    queryFn: async () => (await call('listWebhookResends', { params: { id } })).resends,
  });

export const deliveryQuery = (id: string, eventId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', 'one', eventId],
    queryFn: () => call('readWebhookDelivery', { params: { id, eventId } }),
  });
