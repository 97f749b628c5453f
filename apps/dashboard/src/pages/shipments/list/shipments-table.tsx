import { Badge, Checkbox, Group, Table, Text } from '@mantine/core';
import type { ShipmentOrder } from '@navette/contract';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import { Slot } from '../slot.tsx';
import { LateMark } from './late-mark.tsx';
import { OrderHead } from './order-head.tsx';
import { nameOf, OrderLink } from './order-link.tsx';
import { Recipient } from './recipient.tsx';
import { hasLabel, isEachTicked, type Selection } from './selection.ts';
import type { ShownLine } from './use-live-statuses.ts';

export interface LinesProps {
  lines: readonly ShownLine[];
  selection: Selection;
  watch: (element: Element | null) => () => void;
  /** Null where the matches of a search or the filter decide it. */
  order: ShipmentOrder | null;
  /** False where a filter implies the order by delivery. */
  canOrderByCreation: boolean;
  onOrder: (order: ShipmentOrder) => void;
}

export function ShipmentsTable({ lines, selection, watch, order, canOrderByCreation, onOrder }: LinesProps) {
  const { t } = useTranslation('shipments');
  const navigate = useNavigate();
  const all = isEachTicked(lines, selection);

  /** A click on the row opens the shipment, except on links, checkboxes and while text is selected. */
  const open = (event: MouseEvent<HTMLElement>, id: string) => {
    const own = (event.target as HTMLElement).closest('a, input, label, button');
    if (own || window.getSelection()?.toString()) return;
    void navigate({ to: '/shipments/$id', params: { id } });
  };

  return (
    <Table layout="fixed" verticalSpacing={5} highlightOnHover className={styles.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={44}>
            <Checkbox
              aria-label={t('selectAll')}
              checked={all}
              indeterminate={!all && selection.ids.size > 0}
              onChange={selection.toggleAll}
            />
          </Table.Th>
          <Table.Th w="18%">{t('order')}</Table.Th>
          <Table.Th>{t('recipient')}</Table.Th>
          <Table.Th w={148}>{t('status')}</Table.Th>
          <OrderHead width={128} orders={['earliest_delivery', 'latest_delivery']} order={order} onOrder={onOrder}>
            {t('slot')}
          </OrderHead>
          <OrderHead
            width={180}
            orders={['oldest', 'newest']}
            order={canOrderByCreation ? order : null}
            onOrder={onOrder}
          >
            {t('created')}
          </OrderHead>
          <Table.Th w={96} className={styles.number ?? ''}>
            {t('price')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr
            key={line.id}
            ref={watch}
            data-id={line.id}
            className={`${styles.row} ${line.changed ? styles.changed : ''}`}
            onClick={(event) => open(event, line.id)}
          >
            <Table.Td>
              <Checkbox
                aria-label={t('select', { name: nameOf(line) })}
                checked={selection.ids.has(line.id)}
                disabled={!hasLabel(line)}
                onChange={({ nativeEvent }) =>
                  selection.toggle(line.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
                }
              />
            </Table.Td>
            <Table.Td>
              <OrderLink line={line} />
            </Table.Td>
            <Table.Td>
              <Text size="sm" lineClamp={1}>
                <Recipient line={line} />
              </Text>
              <Text size="xs" c="dimmed" lineClamp={1}>
                {line.postalCode} {line.city}
              </Text>
            </Table.Td>
            <Table.Td>
              <Group gap={6}>
                <StatusBadge status={line.status} />
                {line.isCollection && (
                  <Badge variant="outline" color="gray" tt="none">
                    {t('collection')}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <Slot of={line.scheduledDelivery} express={t('express')} />
              {line.isLate && <LateMark />}
              {line.arrival && (
                <Text size="xs" c="blue" fw={600} title={t('arrival')}>
                  <Arrival of={line.arrival} />
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <When at={line.createdAt} />
            </Table.Td>
            <Table.Td className={styles.number ?? ''}>
              <Money euros={line.price} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
