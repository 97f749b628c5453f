import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { isOver, LIVE_EVERY_MS, type ShipmentLine, shipmentsQuery } from '../shipments-queries.ts';
import type { ListFilter } from './list-filter.ts';

/** A line whose status changed under the reader's eyes. */
export type ShownLine = ShipmentLine & { moved?: true };

const MOST_IDS = 100;

/**
 * Asks again for the statuses of the lines in sight while the tab is, and puts what is new into the list. Answers how
 * many moved the last time.
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
      let moved = 0;
      const follow = (line: ShownLine): ShownLine => {
        const now = latest.get(line.id);
        if (!now || now.status === line.status || now.updatedAt < line.updatedAt) return line;
        moved++;
        return { ...line, status: now.status, updatedAt: now.updatedAt, moved: true };
      };
      queryClient.setQueryData(
        shipmentsQuery(filter).queryKey,
        (list) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, shipments: page.shipments.map(follow) })) },
      );
      return moved;
    },
    enabled: ids.length > 0,
    refetchInterval: LIVE_EVERY_MS, // pauses by itself while the tab is hidden
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return data ?? 0;
}
