import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const REFRESH_MS = 5_000;

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: () => call('listApprovals'),
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});
