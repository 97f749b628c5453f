import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { actedWithin, call } from '../../api/call.ts';
import type { InboxFilter } from './inbox-filter.ts';

const REFRESH_MS = 5_000;
const OWN_ACT_MS = 3_000; // longer than servers share a reading: the person's own act is always in the list

export const inboxQuery = ({ list, kind }: InboxFilter, limit: number) =>
  queryOptions({
    queryKey: ['inbox', list ?? 'now', kind ?? 'all', limit],
    queryFn: () =>
      call('listInbox', {
        query: {
          limit,
          ...(actedWithin(OWN_ACT_MS) ? { fresh: true } : {}),
          ...(list ? { state: list } : {}),
          ...(kind ? { kind } : {}),
        },
      }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
