import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { LogFilter } from './log-filter.ts';

export const actsQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['acts', filter],
    queryFn: ({ pageParam }) =>
      call('listOperatorActs', { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
