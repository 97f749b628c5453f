import { SimpleGrid } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { FigureTile } from '@navette/ui/parts/figure-tile.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';

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
      <FigureTile
        label={t('shipments')}
        value={format.number(shipments)}
        note={t('perDay', { average: format.number(Math.round((10 * shipments) / days.length) / 10) })}
      />
      <FigureTile
        label={t('spend')}
        value={<Money euros={spend} />}
        note={shipments > 0 ? t('perShipment', { average: format.money(spend / shipments) }) : t('nothingYet')}
      />
      <FigureTile
        label={t('onTime')}
        value={delivered > 0 ? format.percent(onTime / delivered) : '—'}
        note={delivered > 0 ? t('onTimeOf', { onTime, count: delivered }) : t('noDelivery')}
      />
      <FigureTile
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
