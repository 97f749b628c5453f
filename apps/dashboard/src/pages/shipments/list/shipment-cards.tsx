import { Badge, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Money } from '../../../shared/money.tsx';
import { StatusBadge } from '../../../shared/status-badge.tsx';
import styles from '../shipments.module.css';
import { Slot } from '../slot.tsx';
import { nameOf, OrderLink } from './order-link.tsx';
import type { LinesProps } from './shipments-table.tsx';

/** The list on a phone. */
export function ShipmentCards({ lines, selection, watch }: LinesProps) {
  const { t } = useTranslation('shipments');
  const all = lines.every(({ id }) => selection.ids.has(id));
  return (
    <Stack gap="sm">
      <Checkbox
        pl={13} // level with those of the cards
        label={t('selectAll')}
        checked={all}
        indeterminate={!all && selection.ids.size > 0}
        onChange={selection.toggleAll}
      />
      {lines.map((line) => (
        <Paper
          key={line.id}
          ref={watch}
          data-id={line.id}
          withBorder
          p="sm"
          className={line.moved ? (styles.moved ?? '') : ''}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <Group align="flex-start" wrap="nowrap" gap="sm" style={{ minWidth: 0 }}>
              <Checkbox
                mt={2}
                aria-label={t('select', { name: nameOf(line) })}
                checked={selection.ids.has(line.id)}
                onChange={() => selection.toggle(line.id, false)}
              />
              <div style={{ minWidth: 0 }}>
                <OrderLink line={line} />
              </div>
            </Group>
            <StatusBadge status={line.status} />
          </Group>
          <Text size="sm" mt="xs" lineClamp={2}>
            {line.recipientName}
          </Text>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {line.postalCode} {line.city}
          </Text>
          <Group justify="space-between" mt="xs" gap="xs">
            <Group gap="xs">
              <Text size="sm">
                <Slot of={line.scheduledDelivery} express={t('express')} />
              </Text>
              {line.isCollection && (
                <Badge variant="outline" color="gray" tt="none">
                  {t('collection')}
                </Badge>
              )}
            </Group>
            <Text size="sm" fw={600}>
              <Money euros={line.price} />
            </Text>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
