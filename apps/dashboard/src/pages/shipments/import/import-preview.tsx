import { Badge, Group, SimpleGrid, Table, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import { Slot } from '../slot.tsx';
import { withKeys } from './column-keys.ts';
import type { Import } from './imports-queries.ts';

/** Preview of the file: recognised columns, and the first lines as they would be created. */
export function ImportPreview({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  if (of.erasedAt) return null;
  return (
    <>
      {of.sample.length > 0 && <Sample sample={of.sample} />}
      <Card title={t('columns')}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          {withKeys(of.columns).map(({ key, header, field }) => (
            <Group key={key} justify="space-between" gap="xs" wrap="nowrap">
              <Text size="sm" style={{ minWidth: 0 }}>
                {header || '—'}
              </Text>
              <Badge variant={field ? 'light' : 'outline'} color={field ? 'indigo' : 'gray'} tt="none">
                {field ? t(`fields.${field}`) : t('ignored')}
              </Badge>
            </Group>
          ))}
        </SimpleGrid>
      </Card>
    </>
  );
}

/** Shows fewer columns on narrow screens. */
function Sample({ sample }: { sample: Import['sample'] }) {
  const { t } = useTranslation(['imports', 'shipments']);
  const format = useFormat();
  return (
    <Card title={t('sample')}>
      <Table.ScrollContainer type="native" minWidth={280} tabIndex={0} aria-label={t('sample')}>
        <Table className={styles.table ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th visibleFrom="sm">{t('line')}</Table.Th>
              <Table.Th>{t('order', { ns: 'shipments' })}</Table.Th>
              <Table.Th>{t('recipient', { ns: 'shipments' })}</Table.Th>
              <Table.Th visibleFrom="md">{t('address')}</Table.Th>
              <Table.Th visibleFrom="md">{t('parcel')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('slot', { ns: 'shipments' })}</Table.Th>
              <Table.Th className={styles.number ?? ''}>{t('price', { ns: 'shipments' })}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.map((line) => (
              <Table.Tr key={line.line}>
                <Table.Td visibleFrom="sm">{line.line}</Table.Td>
                <Table.Td className={styles.order ?? ''}>{line.orderId ?? '—'}</Table.Td>
                <Table.Td>{line.recipientName}</Table.Td>
                <Table.Td visibleFrom="md">
                  {line.street}, {line.postalCode} {line.city}
                </Table.Td>
                <Table.Td visibleFrom="md">
                  {line.nature}, {format.number(line.weight)}&nbsp;kg
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Slot
                    of={{ date: line.scheduledDate, timeSlot: line.timeSlot }}
                    express={t('express', { ns: 'shipments' })}
                  />
                </Table.Td>
                <Table.Td className={styles.number ?? ''}>
                  <Money euros={line.price} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
