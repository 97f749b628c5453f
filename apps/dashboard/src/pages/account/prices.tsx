import { List, Table, Text } from '@mantine/core';
import type { AccountPage } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';
import { Hours } from '../../shared/hours.tsx';

const WEIGHTS = [2, 6];
const KINDS = ['express', 'slot', 'evening', 'weekend'] as const;

/** Example prices, calculated by the server, and the rules behind them. */
export function Prices({ page }: { page: AccountPage }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { pricePerKg, minimumPrice } = page.account;
  const priceOf = (kind: string, weight: number) =>
    page.priceExamples.find((example) => example.kind === kind && example.weight === weight)?.price;
  return (
    <Card title={t('prices.title')}>
      <Table verticalSpacing="xs" withRowBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('prices.example')}</Table.Th>
            {WEIGHTS.map((weight) => (
              <Table.Th key={weight} ta="right">
                {format.number(weight)} kg
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {KINDS.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Td>
                <Hours in={t(`prices.kinds.${kind}`)} />
              </Table.Td>
              {WEIGHTS.map((weight) => (
                <Table.Td key={weight} ta="right" fw={600}>
                  <Money euros={priceOf(kind, weight) ?? 0} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" fw={600} mt="md" mb={4}>
        {t('prices.how')}
      </Text>
      <List size="sm" c="dimmed" spacing={4}>
        <List.Item>
          {pricePerKg === null
            ? t('prices.expressMinimum', { price: format.money(minimumPrice) })
            : t('prices.expressFlat', { price: format.money(pricePerKg) })}
        </List.Item>
        <List.Item>{t('prices.slotRule')}</List.Item>
        <List.Item>{t('prices.refundRule')}</List.Item>
      </List>
    </Card>
  );
}
