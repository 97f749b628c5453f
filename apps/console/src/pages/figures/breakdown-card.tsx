import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import type { FiguresBy } from '@navette/contract';
import { FIGURES_BY } from '@navette/contract/console-figure-kinds';
import { Card } from '@navette/ui/parts/card.tsx';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { ExportLink } from './export-link.tsx';
import { FigureChart } from './figure-chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { rowsQuery } from './figures-queries.ts';
import { isMoney, MEASURES, type Measure } from './measures.ts';
import type { Period } from './periods.ts';

interface Props {
  period: Period;
  by: FiguresBy;
  measure: Measure;
  onChange: (change: { by?: FiguresBy; measure?: Measure }) => void;
}

/** One measure as a chart, and all of them as the table behind it, by a dimension. */
export function BreakdownCard({ period, by, measure, onChange }: Props) {
  const { t } = useTranslation('figures');
  const may = useMay();
  const query = useQuery(rowsQuery(period, by));
  const measures = MEASURES.filter((one) => may('money') || !isMoney(one));
  return (
    <Card title={t(`tables.${by}`)} aside={<ExportLink period={period} by={by} />}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-end">
          <SegmentedControl
            aria-label={t('dimension')}
            data={FIGURES_BY.map((one) => ({ value: one, label: t(`by.${one}`) }))}
            value={by}
            onChange={(value) => onChange({ by: value as FiguresBy })}
          />
          <Select
            label={t('measure')}
            data={measures.map((one) => ({ value: one, label: t(`measures.${one}`) }))}
            value={measure}
            onChange={(value) => value && onChange({ measure: value as Measure })}
            allowDeselect={false}
            w={260}
          />
        </Group>
        <Loaded query={query} skeleton={<LinesSkeleton h={520} />}>
          {({ rows, by: shownBy, hasMore }) =>
            rows.length === 0 ? (
              <Text c="dimmed">{t('empty')}</Text>
            ) : (
              <>
                <FigureChart rows={rows} by={shownBy} measure={measure} />
                <FigureTable rows={rows} by={shownBy} />
                {hasMore && (
                  <Text size="sm" c="dimmed">
                    {t('hasMore', { count: rows.length })}
                  </Text>
                )}
              </>
            )
          }
        </Loaded>
      </Stack>
    </Card>
  );
}
