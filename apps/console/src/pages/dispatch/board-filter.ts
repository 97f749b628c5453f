export interface BoardFilter {
  list: 'unassigned' | 'slots';
  /** With `slots`: the first local day, YYYY-MM-DD. */
  from?: string;
}

/** From the address of the page. */
export function readBoardFilter(search: Record<string, unknown>): Partial<BoardFilter> {
  const { list, from } = search;
  return {
    ...(list === 'slots' ? { list } : {}),
    ...(typeof from === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(from) ? { from } : {}),
  };
}
