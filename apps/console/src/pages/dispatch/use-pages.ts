import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { pagesOfRows } from './page-of-row.ts';

const REFRESH_MS = 5_000;

interface PageOf<Row> {
  rows: Row[];
  nextCursor: string | null;
}

interface Options<Page> {
  key: QueryKey;
  /** Reads the rows after one cursor up to another; without the second, a page of the usual size. */
  read: (after: string | null, until: string | null) => Promise<Page>;
  /** Nothing moves: the person drags something, or decides in a dialog. */
  isHeld: boolean;
}

interface Range {
  /** The list that the cursors are of: another filter is another list. */
  name: string;
  /** Where each page begins. */
  cursors: (string | null)[];
  /** Pages on the screen. */
  shown: { first: number; last: number };
}

const wholeList = (name: string): Range => ({ name, cursors: [null], shown: { first: 0, last: 0 } });

/**
 * A list of any length, read page by page. Only the pages on the screen are read again. A page keeps the range between its
 * two cursors, so that rows which come and go never push others out of sight.
 */
export function usePages<Row, Page extends PageOf<Row>>({ key, read, isHeld }: Options<Page>) {
  const name = JSON.stringify(key);
  const [range, setRange] = useState(() => wholeList(name));
  const { cursors, shown } = range.name === name ? range : wholeList(name);
  const change = useCallback(
    (changed: (before: Range) => Range) =>
      setRange((before) => changed(before.name === name ? before : wholeList(name))),
    [name],
  );
  const pages = useQueries({
    queries: cursors.map((after, index) => ({
      queryKey: [...key, after],
      queryFn: () => read(after, cursors[index + 1] ?? null),
      enabled: index >= shown.first && index <= shown.last,
      refetchInterval: isHeld ? (false as const) : REFRESH_MS,
      staleTime: 0,
    })),
    combine: (results) => ({
      data: results.map(({ data }) => data),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      retry: () => Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
  // A page that has grown beyond what one response holds is split.
  const grown = pages.data.findIndex(
    (page, index) => index < cursors.length - 1 && (page?.nextCursor ?? null) !== null,
  );
  const split = pages.data[grown]?.nextCursor ?? null;
  useEffect(() => {
    if (split === null) return;
    change((before) =>
      before.cursors.includes(split) ? before : { ...before, cursors: before.cursors.toSpliced(grown + 1, 0, split) },
    );
  }, [change, grown, split]);
  const last = pages.data.at(-1);
  const next = last?.nextCursor ?? null;

  /** The rows on the screen, by their places in the list; reads on before its end is reached. */
  const onShown = useCallback(
    (firstRow: number, lastRow: number) => {
      const counts = pages.data.map((page) => page?.rows.length ?? 0);
      const onScreen = pagesOfRows(counts, firstRow, lastRow);
      const isNearEnd = onScreen.last === counts.length - 1 && next !== null;
      const wanted = { ...onScreen, last: isNearEnd ? onScreen.last + 1 : onScreen.last };
      change((before) => {
        const isKnown = !isNearEnd || before.cursors.includes(next);
        const isSame = before.shown.first === wanted.first && before.shown.last === wanted.last;
        if (isKnown && isSame) return before;
        return { ...before, cursors: isKnown ? before.cursors : [...before.cursors, next], shown: wanted };
      });
    },
    [change, pages.data, next],
  );

  return {
    /** Null until the first page has arrived. */
    rows: pages.data[0] ? pages.data.flatMap((page) => page?.rows ?? []) : null,
    first: pages.data[0],
    hasMore: next !== null,
    error: pages.error,
    retry: pages.retry,
    onShown,
  };
}
