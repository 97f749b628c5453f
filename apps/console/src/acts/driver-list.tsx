import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { AssignableDriver } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './driver-list.module.css';

const TYPED_MS = 200;

interface Props {
  /** Undefined while the first list is loading. */
  drivers: AssignableDriver[] | undefined;
  /** The list is still of the name typed before. */
  isSearching: boolean;
  chosen: AssignableDriver | null;
  onSearch: (name: string) => void;
  onChoose: (driver: AssignableDriver) => void;
}

/** Drivers for a shipment, best first. Arrows move, Enter chooses. */
export function DriverList({ drivers: found, isSearching, chosen, onSearch, onChoose }: Props) {
  const { t } = useTranslation('acts');
  const drivers = found ?? [];
  const listId = useId();
  const [active, setActive] = useState(0);
  const search = useDebouncedCallback(onSearch, TYPED_MS);
  const optionId = (index: number) => `${listId}-${index}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const driver = drivers[active];
    if (step) setActive((at) => Math.min(Math.max(at + step, 0), drivers.length - 1));
    else if (event.key === 'Enter' && driver && !isSearching) onChoose(driver);
    else return;
    event.preventDefault();
  };
  return (
    <Stack gap="xs">
      <TextInput
        label={t('assign.search')}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={drivers[active] ? optionId(active) : undefined}
        onChange={(event) => {
          setActive(0);
          search(event.currentTarget.value.trim());
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('assign.drivers')}
        aria-busy={isSearching || !found}
        className={classes.list}
      >
        {!found && <LinesSkeleton h={260} />}
        {found?.length === 0 && (
          <Text size="sm" c="dimmed" p="sm" role="option" aria-disabled aria-selected={false}>
            {t('assign.none')}
          </Text>
        )}
        {drivers.map((driver, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a listbox are handled by its text field
          <div
            key={driver.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={driver.id === chosen?.id}
            data-active={index === active || undefined}
            className={classes.driver}
            onClick={() => {
              setActive(index);
              onChoose(driver);
            }}
          >
            <DriverFacts driver={driver} />
          </div>
        ))}
      </div>
    </Stack>
  );
}

function DriverFacts({ driver: { name, distanceKm, runs, warnings } }: { driver: AssignableDriver }) {
  const { t } = useTranslation('acts');
  const format = useFormat();
  return (
    <>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {distanceKm === null ? t('assign.noPosition') : t('assign.distance', { km: format.number(distanceKm) })} ·{' '}
          {t('assign.runs', { count: runs })}
        </Text>
      </div>
      <Group gap={4} justify="flex-end">
        {warnings.map((warning) => (
          <Badge key={warning} size="sm" variant="light" color="orange" tt="none">
            {t(`assign.warnings.${warning}`)}
          </Badge>
        ))}
      </Group>
    </>
  );
}
