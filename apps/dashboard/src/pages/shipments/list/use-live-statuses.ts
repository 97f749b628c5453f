import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { isOver, LIVE_EVERY_MS, type ShipmentLine, shipmentsQuery } from '../shipments-queries.ts';
import type { ListFilter } from './list-filter.ts';

/** A line of the list; `changed` marks a status that changed since the list was loaded. */
export type ShownLine = ShipmentLine & { changed?: true };

const MOST_IDS = 100;

/**
 * Polls the statuses of the visible lines while the tab is visible, and updates the list. Returns how many changed at
 * the last poll.
 */
export function useLiveStatuses(filter: ListFilter, lines: readonly ShownLine[], onScreen: readonly string[]): number {
  const queryClient = useQueryClient();
  const open = lines.filter(({ id, status }) => onScreen.includes(id) && !isOver(status));
  const ids = open.map(({ id }) => id).slice(0, MOST_IDS);

  const { data } = useQuery({
    queryKey: ['statuses', ids],
    queryFn: async () => {
      const { statuses } = await call('readStatuses', { query: { ids: ids.join(',') } });
      const latest = new Map(statuses.map((status) => [status.id, status]));
      let changed = 0;
      const follow = (line: ShownLine): ShownLine => {
        const now = latest.get(line.id);
        if (!now) return line;
        const { arrival } = now;
        if (now.status === line.status || now.updatedAt < line.updatedAt) return { ...line, arrival };
        changed++;
        return { ...line, arrival, status: now.status, updatedAt: now.updatedAt, changed: true };
      };
      queryClient.setQueryData(
        shipmentsQuery(filter).queryKey,
        (list) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, shipments: page.shipments.map(follow) })) },
      );
      return changed;
    },
    enabled: ids.length > 0,
    refetchInterval: LIVE_EVERY_MS, // TanStack Query pauses it while the tab is hidden
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return data ?? 0;
}
