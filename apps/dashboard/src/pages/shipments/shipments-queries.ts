import type { DashboardAnswer } from '@navette/contract';
import type { ShipmentStatus } from '@navette/contract/statuses';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { type ListFilter, toQuery } from './list/list-filter.ts';

export type ShipmentLine = DashboardAnswer<'listShipments'>['shipments'][number];
export type ShipmentDetail = DashboardAnswer<'readShipment'>;

export const LIVE_EVERY_MS = 4_000;

/** Whether the status is final. */
export const isOver = (status: ShipmentStatus) => status === 'delivered' || status === 'cancelled';

export const shipmentsQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: ['shipments', filter],
    queryFn: ({ pageParam }) =>
      call('listShipments', { query: { ...toQuery(filter), ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const savedViewsQuery = queryOptions({
  queryKey: ['saved-views'],
  queryFn: async () => (await call('listSavedViews')).views,
});

export const shipmentQuery = (id: string) =>
  queryOptions({ queryKey: ['shipment', id], queryFn: () => call('readShipment', { params: { id } }) });
