import { Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { IconBike, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedDriver } from './assigned.ts';
import { useDrivers } from './board-lists.ts';
import classes from './dispatch.module.css';
import { DriverCard } from './driver-card.tsx';
import type { Chosen } from './use-selection.ts';

const CARD_PX = 84;
const AROUND = 6;
const TYPED_MS = 200;

export const DRIVER_SEARCH_ID = 'board-driver-search';

interface Props {
  isHeld: boolean;
  hasSelection: boolean;
  onAssign: (shipments: Chosen[], driver: NamedDriver) => void;
  onAssignSelection: (driver: NamedDriver) => void;
}

export function DriverColumn(props: Props) {
  const { t } = useTranslation('dispatch');
  const [name, setName] = useState('');
  const search = useDebouncedCallback((text: string) => setName(text.trim()), TYPED_MS);
  return (
    <section className={classes.column} aria-label={t('drivers.title')}>
      <div className={classes.bar}>
        <TextInput
          id={DRIVER_SEARCH_ID}
          aria-label={t('drivers.search')}
          placeholder={t('drivers.search')}
          leftSection={<IconSearch size={16} stroke={1.6} />}
          autoComplete="off"
          className={classes.search}
          onChange={(event) => search(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      </div>
      <DriverList key={name} name={name} {...props} />
    </section>
  );
}

function DriverList({ name, isHeld, hasSelection, onAssign, onAssignSelection }: Props & { name: string }) {
  const { t } = useTranslation('dispatch');
  const box = useRef<HTMLUListElement>(null);
  const view = useDrivers(name, isHeld);
  const { rows, onShown } = view;
  const drivers = rows ?? [];
  const virtual = useVirtualizer({
    count: drivers.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => drivers[index]?.id ?? index,
    overscan: AROUND,
  });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => onShown(first, last), [onShown, first, last]);
  if (rows === null && view.error) return <ErrorState error={view.error} onRetry={() => void view.retry()} />;
  if (rows?.length === 0) {
    return <EmptyState icon={IconBike} title={t('drivers.none')} text={t('drivers.noneText')} />;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <ul ref={box} className={classes.box} tabIndex={0} aria-label={t('drivers.title')} aria-busy={rows === null}>
      {rows === null && <Skeleton component="li" height={600} />}
      <li role="presentation" style={{ height: virtual.getTotalSize() }} aria-hidden />
      {shown.map(({ index, start }) => {
        const driver = drivers[index];
        if (!driver) return null;
        return (
          <DriverCard
            key={driver.id}
            ref={virtual.measureElement}
            index={index}
            driver={driver}
            most={view.first?.runsPerDriver ?? 0}
            place={{ transform: `translateY(${start}px)` }}
            hasSelection={hasSelection}
            onAssign={onAssign}
            onAssignSelection={onAssignSelection}
          />
        );
      })}
    </ul>
  );
}
