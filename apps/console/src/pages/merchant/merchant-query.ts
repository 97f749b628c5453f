import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const merchantQuery = (id: string) =>
  queryOptions({
    queryKey: ['merchant', id],
    queryFn: () => call('readMerchantPage', { params: { id } }),
    staleTime: 0,
  });
