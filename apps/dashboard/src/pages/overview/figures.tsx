import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

function Figure({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 22, sm: 26 }} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Paper>
  );
}

/** Four key figures: shipments, spending, on-time rate, balance. */
export function Figures({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { days, paymentMode, balance, amountDue } = overview;
  const sum = (field: 'shipments' | 'spend' | 'delivered' | 'onTime') =>
    days.reduce((total, day) => total + day[field], 0);
  const [shipments, spend, delivered, onTime] = [sum('shipments'), sum('spend'), sum('delivered'), sum('onTime')];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', sm: 'md' }}>
      <Figure
        label={t('shipments')}
        value={format.number(shipments)}
        note={t('perDay', { average: format.number(Math.round((10 * shipments) / days.length) / 10) })}
      />
      <Figure
        label={t('spend')}
        value={<Money euros={spend} />}
        note={shipments > 0 ? t('perShipment', { average: format.money(spend / shipments) }) : t('nothingYet')}
      />
      <Figure
        label={t('onTime')}
        value={delivered > 0 ? format.percent(onTime / delivered) : '—'}
        note={delivered > 0 ? t('onTimeOf', { onTime, count: delivered }) : t('noDelivery')}
      />
      <Figure
        label={t(paymentMode === 'prepaid' ? 'balance' : 'amountDue')}
        value={<Money euros={paymentMode === 'prepaid' ? balance : amountDue} />}
        note={
          <AnchorLink to="/account/ledger" size="xs">
            {t('seeLedger')}
          </AnchorLink>
        }
      />
    </SimpleGrid>
  );
}
