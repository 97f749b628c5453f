import { Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { IconCircleCheck } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type BoardItem, boardItems } from './board-items.ts';
import type { ShipmentsView } from './board-lists.ts';
import classes from './dispatch.module.css';
import { rowId, ShipmentRow } from './shipment-row.tsx';
import type { Chosen, Selection } from './use-selection.ts';

const ROW_PX = 60;
const TITLE_PX = 36;
const AROUND = 12; // rows beyond the edges: a quick scroll shows no gap

interface Props {
  view: ShipmentsView;
  bySlot: boolean;
  selection: Selection;
  /** The row that keys act on. */
  activeId: string | null;
  draggedIds: ReadonlySet<string>;
  onActive: (id: string) => void;
  onAssign: (shipments: Chosen[]) => void;
}

/** Shipments of any number: only the rows on the screen exist in the document. */
export function ShipmentList(props: Props) {
  const { view, bySlot, selection, activeId, draggedIds, onActive, onAssign } = props;
  const { t } = useTranslation('dispatch');
  const box = useRef<HTMLDivElement>(null);
  const { rows, onShown } = view;
  const items = useMemo(() => boardItems(rows ?? [], bySlot), [rows, bySlot]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (items[index]?.kind === 'slot' ? TITLE_PX : ROW_PX),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: AROUND,
  });
  const shown = virtual.getVirtualItems();
  const firstRow = rowOf(items, shown[0]?.index ?? 0);
  const lastRow = rowOf(items, shown.at(-1)?.index ?? 0);
  useEffect(() => onShown(firstRow, lastRow), [onShown, firstRow, lastRow]);

  const activeIndex = items.findIndex(({ key }) => key === activeId);
  const followed = useRef<string | null>(null);
  useEffect(() => {
    if (activeIndex < 0 || followed.current === activeId) return; // rows that come and go do not scroll the list
    followed.current = activeId;
    virtual.scrollToIndex(activeIndex, { align: 'auto' });
  }, [virtual, activeIndex, activeId]);

  if (rows === null && view.error) return <ErrorState error={view.error} onRetry={() => void view.retry()} />;
  if (rows?.length === 0) {
    const name = bySlot ? 'slots' : 'unassigned';
    return <EmptyState icon={IconCircleCheck} title={t(`empty.${name}.title`)} text={t(`empty.${name}.text`)} />;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    <div
      ref={box}
      id="board-shipments"
      className={classes.box}
      role="grid"
      tabIndex={0}
      aria-label={t(bySlot ? 'lists.slots' : 'lists.unassigned')}
      aria-multiselectable
      aria-rowcount={view.hasMore ? -1 : items.length}
      aria-busy={rows === null}
      aria-activedescendant={activeIndex >= 0 ? rowId(activeId ?? '') : undefined}
    >
      {rows === null && <LinesSkeleton h={600} />}
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {shown.map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          return item.kind === 'slot' ? (
            <SlotTitle key={item.key} item={item} top={start} height={size} row={index + 1} />
          ) : (
            <ShipmentRow
              key={item.key}
              shipment={item.shipment}
              now={view.first?.at ?? item.shipment.promisedUntil}
              top={start}
              height={size}
              row={index + 1}
              isUnderSlot={bySlot}
              isSelected={selection.has(item.key)}
              isActive={item.key === activeId}
              isDragged={draggedIds.has(item.key)}
              selection={selection}
              onActive={onActive}
              onAssign={onAssign}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The place in the list of shipments of an item, or of the next one below a title. */
function rowOf(items: BoardItem[], index: number): number {
  const item = items[index];
  if (item?.kind === 'shipment') return item.index;
  const next = items[index + 1];
  return next?.kind === 'shipment' ? next.index : 0;
}

interface TitleProps {
  item: Extract<BoardItem, { kind: 'slot' }>;
  top: number;
  height: number;
  row: number;
}

function SlotTitle({ item: { startsAt, timeSlot, count, waiting }, top, height, row }: TitleProps) {
  const { t } = useTranslation('dispatch');
  const format = useFormat();
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see ShipmentList, which has the focus
    <div className={classes.slot} role="row" aria-rowindex={row} style={{ transform: `translateY(${top}px)`, height }}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the same */}
      <div role="gridcell">
        <Text size="sm" fw={600} component="span">
          {format.dayTime(startsAt)} · {timeSlot}
        </Text>{' '}
        <Text size="sm" c="dimmed" component="span">
          {t('slotCounts', { count, waiting })}
        </Text>
      </div>
    </div>
  );
}
