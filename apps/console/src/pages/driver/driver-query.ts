import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const REFRESH_MS = 10_000;

export const driverQuery = (id: string) =>
  queryOptions({
    queryKey: ['driver', id],
    queryFn: () => call('readDriverPage', { params: { id } }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });
