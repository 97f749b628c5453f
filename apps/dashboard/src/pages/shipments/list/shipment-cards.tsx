import { Badge, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import { Slot } from '../slot.tsx';
import { LateMark } from './late-mark.tsx';
import { nameOf, OrderLink } from './order-link.tsx';
import { Recipient } from './recipient.tsx';
import { hasLabel, isEachTicked } from './selection.ts';
import type { LinesProps } from './shipments-table.tsx';

/** The list as cards, for phones. */
export function ShipmentCards({ lines, selection, watch }: LinesProps) {
  const { t } = useTranslation('shipments');
  const all = isEachTicked(lines, selection);
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
          className={line.changed ? (styles.changed ?? '') : ''}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <Group align="flex-start" wrap="nowrap" gap="sm" style={{ minWidth: 0 }}>
              <Checkbox
                mt={2}
                aria-label={t('select', { name: nameOf(line) })}
                checked={selection.ids.has(line.id)}
                disabled={!hasLabel(line)}
                onChange={() => selection.toggle(line.id, false)}
              />
              <div style={{ minWidth: 0 }}>
                <OrderLink line={line} />
              </div>
            </Group>
            <StatusBadge status={line.status} />
          </Group>
          <Text size="sm" mt="xs" lineClamp={2}>
            <Recipient line={line} />
          </Text>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {line.postalCode} {line.city}
          </Text>
          <Group justify="space-between" mt="xs" gap="xs">
            <Group gap="xs">
              <Text size="sm">
                <Slot of={line.scheduledDelivery} express={t('express')} />
              </Text>
              {line.isLate && <LateMark />}
              {line.arrival && (
                <Text size="sm" c="blue" fw={600} title={t('arrival')}>
                  <Arrival of={line.arrival} />
                </Text>
              )}
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
