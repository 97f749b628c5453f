import { SimpleGrid } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { FigureTile } from '@navette/ui/parts/figure-tile.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';
import { comparePeriods, sumOf } from './compare-periods.ts';

const SMALLEST_CHANGE = 0.005; // half a percent, or half a point

/** Four key figures: shipments, spending, on-time rate, each compared with the previous period, and the balance. */
export function Figures({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { days, paymentMode, balance, amountDue } = overview;
  const [shipments, spend] = [sumOf(days, 'shipments'), sumOf(days, 'spend')];
  const [delivered, onTime] = [sumOf(days, 'delivered'), sumOf(days, 'onTime')];
  const changes = comparePeriods(overview);
  const withChange = (note: string, change: number | null, write: (change: number) => string) => (
    <>
      {note}
      {change !== null && (
        <>
          <br />
          {Math.abs(change) < SMALLEST_CHANGE
            ? t('unchanged', { days: days.length })
            : t('changed', { change: write(change), days: days.length })}
        </>
      )}
    </>
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', sm: 'md' }}>
      <FigureTile
        label={t('shipments')}
        value={format.number(shipments)}
        note={withChange(
          t('perDay', { average: format.number(Math.round((10 * shipments) / days.length) / 10) }),
          changes.shipments,
          format.signedPercent,
        )}
      />
      <FigureTile
        label={t('spend')}
        value={<Money euros={spend} />}
        note={withChange(
          shipments > 0 ? t('perShipment', { average: format.money(spend / shipments) }) : t('nothingYet'),
          changes.spend,
          format.signedPercent,
        )}
      />
      <FigureTile
        label={t('onTime')}
        value={delivered > 0 ? format.percent(onTime / delivered) : '—'}
        note={withChange(
          delivered > 0 ? t('onTimeOf', { onTime, count: delivered }) : t('noDelivery'),
          changes.onTime,
          (change) => t('points', { points: format.signed(change * 100) }),
        )}
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
