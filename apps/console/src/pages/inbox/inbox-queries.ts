import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InboxFilter } from './inbox-filter.ts';

const REFRESH_MS = 5_000;
const MOST_ENTRIES = 500;

export const inboxQuery = ({ list, kind }: InboxFilter) =>
  queryOptions({
    queryKey: ['inbox', list ?? 'now', kind ?? 'all'],
    queryFn: () =>
      call('listInbox', {
        query: { limit: MOST_ENTRIES, ...(list ? { state: list } : {}), ...(kind ? { kind } : {}) },
      }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });
