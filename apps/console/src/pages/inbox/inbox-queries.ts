import { MOST_INBOX_ENTRIES } from '@navette/contract/console-limits';
import { queryOptions } from '@tanstack/react-query';
import { actedWithin, call } from '../../api/call.ts';
import type { InboxFilter } from './inbox-filter.ts';

const REFRESH_MS = 5_000;
const OWN_ACT_MS = 3_000; // longer than servers share a reading: the person's own act is always in the list

export const inboxQuery = ({ list, kind }: InboxFilter) =>
  queryOptions({
    queryKey: ['inbox', list ?? 'now', kind ?? 'all'],
    queryFn: () =>
      call('listInbox', {
        query: {
          limit: MOST_INBOX_ENTRIES,
          ...(actedWithin(OWN_ACT_MS) ? { fresh: true } : {}),
          ...(list ? { state: list } : {}),
          ...(kind ? { kind } : {}),
        },
      }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });
