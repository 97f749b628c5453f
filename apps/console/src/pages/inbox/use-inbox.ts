import type { InboxEntry } from '@navette/contract';
import { INBOX_PAGE, MOST_INBOX_ENTRIES } from '@navette/contract/console-limits';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { belongsTo, type InboxFilter } from './inbox-filter.ts';
import { inboxQuery } from './inbox-queries.ts';
import { countHeld, mergeRows, type Row } from './merge-rows.ts';

const STILL_ACTING_MS = 10_000; // after a key or a touch; a mouse counts while it is above the list

/** The list, refreshed without moving a row that the person is about to use. */
export function useInbox(filter: InboxFilter) {
  const [limit, setLimit] = useState(INBOX_PAGE);
  const query = useQuery(inboxQuery(filter, limit));
  const ownId = useSession().staff.id;
  const [rows, setRows] = useState<Row[] | null>(null);
  const [selectedKey, setSelectedKey] = useState<string | null>(null);
  const selected = useRef(selectedKey);
  selected.current = selectedKey;
  const isPointerAbove = useRef(false);
  const lastActedAt = useRef(0);
  const shownLimit = useRef(limit);
  const { data, isPlaceholderData } = query;

  useEffect(() => {
    if (!data || isPlaceholderData) return;
    const isInUse = isPointerAbove.current || Date.now() - lastActedAt.current < STILL_ACTING_MS;
    const isFrozen = isInUse && shownLimit.current === limit; // the person asked for more rows
    shownLimit.current = limit;
    const { entries: latest, keys } = data;
    setRows((shown) => mergeRows({ shown: shown ?? [], latest, keys, selectedKey: selected.current, isFrozen }));
  }, [data, isPlaceholderData, limit]);

  /** The person uses the list: rows stay in their places for a while. */
  const touch = useCallback(() => {
    lastActedAt.current = Date.now();
  }, []);

  /** The server's answer to a change of this person. */
  const apply = useCallback(
    (entry: InboxEntry) => {
      const isGone = !belongsTo(filter.list ?? 'now', entry, ownId);
      setRows((shown) => shown?.map((row) => (row.entry.key === entry.key ? { entry, isGone } : row)) ?? null);
    },
    [filter.list, ownId],
  );

  return {
    query,
    rows,
    selectedKey,
    select: setSelectedKey,
    held: rows && data ? countHeld(rows, data.entries) : 0,
    /** Entries below the last row. */
    more: Math.max(0, Math.min(data?.keys.length ?? 0, MOST_INBOX_ENTRIES) - limit),
    showMore: () => setLimit((before) => Math.min(before + INBOX_PAGE, MOST_INBOX_ENTRIES)),
    isReadingMore: isPlaceholderData,
    /** Shows the latest list as it is. */
    showLatest: () => data && setRows(data.entries.map((entry) => ({ entry, isGone: false }))),
    apply,
    touch,
    listEvents: {
      onPointerEnter: (event: { pointerType: string }) => {
        isPointerAbove.current = event.pointerType === 'mouse';
        touch();
      },
      onPointerLeave: () => {
        isPointerAbove.current = false;
      },
      onPointerDown: touch,
    },
  };
}
export type InboxView = ReturnType<typeof useInbox>;
