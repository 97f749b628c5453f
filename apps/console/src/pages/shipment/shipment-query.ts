import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const REFRESH_MS = 10_000;

export const shipmentQuery = (id: string) =>
  queryOptions({
    queryKey: ['shipment', id],
    queryFn: () => call('readShipmentPage', { params: { id } }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });
