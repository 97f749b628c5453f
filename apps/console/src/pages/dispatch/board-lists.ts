import type { BoardDriver, BoardShipment } from '@navette/contract';
import { MOST_BOARD_ROWS } from '@navette/contract/console-limits';
import { call } from '../../api/call.ts';
import type { BoardFilter } from './board-filter.ts';
import { usePages } from './use-pages.ts';

const PAGE_ROWS = 100;

const range = (after: string | null, until: string | null) => ({
  limit: until ? MOST_BOARD_ROWS : PAGE_ROWS, // a page may have grown since it was first read
  ...(after ? { after } : {}),
  ...(until ? { until } : {}),
});

export function useShipments({ list, from }: BoardFilter, isHeld: boolean) {
  return usePages<BoardShipment, { rows: BoardShipment[]; nextCursor: string | null; at: string }>({
    key: ['board', 'shipments', list, from],
    read: async (after, until) => {
      const query = { list, ...(from && list === 'slots' ? { from } : {}), ...range(after, until) };
      const { shipments: rows, nextCursor, at } = await call('listBoardShipments', { query });
      return { rows, nextCursor, at };
    },
    isHeld,
  });
}
export type ShipmentsView = ReturnType<typeof useShipments>;

export function useDrivers(name: string, isHeld: boolean) {
  return usePages<BoardDriver, { rows: BoardDriver[]; nextCursor: string | null; at: string; runsPerDriver: number }>({
    key: ['board', 'drivers', name],
    read: async (after, until) => {
      const query = { ...(name ? { name } : {}), ...range(after, until) };
      const { drivers: rows, nextCursor, at, runsPerDriver } = await call('listBoardDrivers', { query });
      return { rows, nextCursor, at, runsPerDriver };
    },
    isHeld,
  });
}
