import { Button, Chip, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract/statuses';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';
import { type DatePreset, datesOf, presetOf } from './date-presets.ts';
import { DeliveryFilter } from './delivery-filter.tsx';
import { filtersUsed, type ListFilter } from './list-filter.ts';

interface Props {
  filter: ListFilter;
  counts: Record<ShipmentStatus, number> | undefined;
  onChange: (change: Partial<Record<keyof ListFilter, unknown>>) => void;
  onClear: () => void;
}

const PRESETS = ['anyDate', 'today', 'last7', 'last30', 'period'] as const satisfies DatePreset[];

export function FilterBar({ filter, counts, onChange, onClear }: Props) {
  const { t } = useTranslation(['shipments', 'common']);
  const format = useFormat();
  const preset = presetOf(filter);
  const setGroup = useDebouncedCallback((group: string) => onChange({ group }), 400);
  return (
    <Stack gap="sm">
      <Chip.Group multiple value={filter.status ?? []} onChange={(status) => onChange({ status })}>
        <Group gap={6} role="group" aria-label={t('status')}>
          {SHIPMENT_STATUSES.map((status) => (
            <Chip key={status} value={status} size="xs" variant="light">
              {t(`statuses.${status}`, { ns: 'common' })}
              {counts ? ` ${format.number(counts[status])}` : ''}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('kind')}
          value={filter.kind ?? ''}
          onChange={(kind) => onChange({ kind })}
          data={[
            { value: '', label: t('anyKind') },
            { value: 'delivery', label: t('deliveries') },
            { value: 'collection', label: t('collections') },
          ]}
        />
        <Select
          size="xs"
          w={170}
          aria-label={t('created')}
          allowDeselect={false}
          value={preset}
          onChange={(chosen) => onChange(datesOf((chosen ?? 'anyDate') as DatePreset, new Date()))}
          data={PRESETS.map((value) => ({ value, label: t(value) }))}
        />
        {preset === 'period' && (
          <>
            <TextInput
              size="xs"
              type="date"
              aria-label={t('from')}
              value={filter.from ?? ''}
              onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
            />
            <TextInput
              size="xs"
              type="date"
              aria-label={t('to')}
              value={filter.to ?? ''}
              onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
            />
          </>
        )}
        <DeliveryFilter day={filter.delivery ?? ''} onChange={(delivery) => onChange({ delivery })} />
        <Chip
          size="xs"
          variant="light"
          color="red"
          checked={filter.late === 'yes'}
          onChange={(late) => onChange({ late: late ? 'yes' : '' })}
        >
          {t('late')}
        </Chip>
        <TextInput
          size="xs"
          w={140}
          aria-label={t('group')}
          placeholder={t('group')}
          maxLength={64}
          defaultValue={filter.group ?? ''}
          onChange={({ currentTarget }) => setGroup(currentTarget.value)}
        />
        {filtersUsed(filter) > 0 && (
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t('clearFilters')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
