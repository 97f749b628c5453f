import type { QueryClient } from '@tanstack/react-query';

/** Lists and pages that an assignment changes. Pages of the board that are not on the screen are read when they are. */
const CHANGED = [['board', 'shipments'], ['board', 'drivers'], ['inbox'], ['shipment'], ['driver']];

export const readAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all(CHANGED.map((queryKey) => client.invalidateQueries({ queryKey })));
