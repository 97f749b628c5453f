import { SimpleGrid } from '@mantine/core';
import type { PeriodFigures } from '@navette/contract';
import { FigureTile } from '@navette/ui/parts/figure-tile.tsx';
import { useTranslation } from 'react-i18next';
import { measureFigures, share } from './measures.ts';
import { useWrite } from './use-write.ts';

export const COLUMNS = { base: 2, md: 3, xl: 6 };
const COLUMNS_WITH_MONEY = { base: 2, md: 4, xl: 8 };

/** The whole company in one row: service first, then money for those who may see it. */
export function KeyFigures({ figures, days }: { figures: PeriodFigures; days: number }) {
  const { t } = useTranslation('figures');
  const write = useWrite();
  const { delivered, onTime, returned, cancelled, incidents, charged, pay } = figures;
  const runs = delivered + returned + cancelled;
  const p95 = (seconds: number | null) => t('p95', { time: write('duration', seconds) });
  return (
    <SimpleGrid cols={charged === null ? COLUMNS : COLUMNS_WITH_MONEY} spacing={{ base: 'sm', sm: 'md' }}>
      <FigureTile
        label={t('measures.delivered')}
        value={write('count', delivered)}
        note={t('perDay', { average: write('count', Math.round(delivered / days)) })}
      />
      <FigureTile
        label={t('measures.onTime')}
        value={write('share', share(onTime, delivered))}
        note={t('onTimeOf', {
          count: delivered,
          onTime: write('count', onTime),
          delivered: write('count', delivered),
        })}
      />
      <FigureTile
        label={t('measures.toDriver')}
        value={write('duration', figures.toDriverP50)}
        note={p95(figures.toDriverP95)}
      />
      <FigureTile
        label={t('measures.toDoor')}
        value={write('duration', figures.toDoorP50)}
        note={p95(figures.toDoorP95)}
      />
      <FigureTile
        label={t('measures.cancelled')}
        value={write('count', cancelled)}
        note={t('ofRuns', { share: write('share', share(cancelled, runs)) })}
      />
      <FigureTile
        label={t('measures.incidents')}
        value={write('count', incidents)}
        note={t('returned', { count: returned })}
      />
      {charged !== null && (
        <FigureTile
          label={t('measures.chargedPerRun')}
          value={write('euros', measureFigures('chargedPerRun', figures).value)}
          note={t('inAll', { amount: write('euros', charged) })}
        />
      )}
      {pay !== null && (
        <FigureTile
          label={t('measures.payPerRun')}
          value={write('euros', measureFigures('payPerRun', figures).value)}
          note={t('inAll', { amount: write('euros', pay) })}
        />
      )}
    </SimpleGrid>
  );
}
