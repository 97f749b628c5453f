import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface RequestFilter {
  status: (typeof STATUSES)[number] | '';
  method: (typeof METHODS)[number] | '';
  search: string;
}
export const NO_FILTER: RequestFilter = { status: '', method: '', search: '' };

export const requestsQuery = ({ status, method, search }: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', status, method, search],
    queryFn: ({ pageParam }) =>
      call('listRequests', {
        query: {
          ...(status ? { status } : {}),
          ...(method ? { method } : {}),
          ...(search.trim() ? { search: search.trim() } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
