import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ShipmentOrder } from '@navette/contract';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListFilter, orderOf } from './list-filter.ts';
import { hasLabel, useSelection } from './selection.ts';
import { ShipmentCards } from './shipment-cards.tsx';
import { ShipmentsTable } from './shipments-table.tsx';
import { type ShownLine, useLiveStatuses } from './use-live-statuses.ts';
import { useRowsOnScreen } from './use-rows-on-screen.ts';

const SelectionBar = lazy(() => import('./selection-bar.tsx')); // most visits select nothing

interface Props {
  filter: ListFilter;
  lines: readonly ShownLine[];
  phone: boolean;
  /** The lines are those of the previous filter, shown until the new ones are loaded. */
  dimmed: boolean;
  more: { load: () => void; loading: boolean } | null;
  onOrder: (order: ShipmentOrder) => void;
}

export function ShownLines({ filter, lines, phone, dimmed, more, onOrder }: Props) {
  const { t } = useTranslation('shipments');
  const list = useRef<HTMLDivElement>(null);
  const ids = lines.filter(hasLabel).map(({ id }) => id);
  const selection = useSelection(ids);
  const { onScreen, watch } = useRowsOnScreen();
  const changed = useLiveStatuses(filter, lines, onScreen);
  const ticked = ids.filter((id) => selection.ids.has(id));
  const isAll = ticked.length === ids.length;
  const [isBarUsed, setBarUsed] = useState(false);
  if (ticked.length > 0 && !isBarUsed) setBarUsed(true); // stays then, and shows how it closes
  const Lines = phone ? ShipmentCards : ShipmentsTable;
  return (
    <Stack
      ref={list}
      tabIndex={-1}
      gap="md"
      pb={selection.ids.size > 0 ? 80 : 0}
      style={{ opacity: dimmed ? 0.6 : 1 }}
      aria-busy={dimmed}
    >
      <Lines
        lines={lines}
        selection={selection}
        watch={watch}
        order={orderOf(filter)}
        canOrderByCreation={!filter.delivery && !filter.late}
        onOrder={onOrder}
      />
      <VisuallyHidden aria-live="polite">{changed > 0 && t('changed', { count: changed })}</VisuallyHidden>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {t('shown', { count: lines.length })} · {t('live')}
        </Text>
        {more && (
          <Button variant="default" onClick={more.load} loading={more.loading}>
            {t('more')}
          </Button>
        )}
      </Group>
      {isBarUsed && (
        <Suspense>
          <SelectionBar
            lines={lines.filter(({ id }) => selection.ids.has(id))}
            wholeList={more && isAll ? filter : null}
            onClear={selection.clear}
            backTo={list}
          />
        </Suspense>
      )}
    </Stack>
  );
}
