import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { localDate } from '@navette/ui/formats';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BreakdownCard } from './breakdown-card.tsx';
import type { FiguresFilter } from './figures-filter.ts';
import { figuresQuery } from './figures-queries.ts';
import { IncidentsCard } from './incidents-card.tsx';
import { COLUMNS, KeyFigures } from './key-figures.tsx';
import { PeriodBar } from './period-bar.tsx';
import { daysIn } from './periods.ts';

export default function FiguresPage() {
  const { t } = useTranslation('figures');
  const format = useFormat();
  const navigate = useNavigate();
  const filter = useSearch({ from: '/staff/figures' });
  const today = localDate(new Date());
  const from = filter.from ?? today;
  const period = { from, to: filter.to ?? from };
  const { by = period.from === period.to ? 'hour' : 'day', measure = 'onTime' } = filter;
  const query = useQuery(figuresQuery(period));
  const change = (changed: FiguresFilter) =>
    void navigate({ to: '/figures', search: { ...filter, ...changed }, replace: true });
  const countedAt = query.data && t('countedAt', { time: format.dateTime(query.data.countedAt) });
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      <PeriodBar period={period} today={today} onChange={change} />
      <Stack gap="lg">
        <Loaded query={query} skeleton={<FiguresSkeleton />}>
          {({ figures, from, to }) => <KeyFigures figures={figures} days={daysIn({ from, to })} />}
        </Loaded>
        <BreakdownCard period={period} by={by} measure={measure} onChange={change} />
        {query.data && <IncidentsCard incidents={query.data.incidents} period={period} />}
        <Text size="xs" c="dimmed" maw={900}>
          {t('definitions')} {countedAt}
        </Text>
      </Stack>
    </>
  );
}

function FiguresSkeleton() {
  return (
    <SimpleGrid cols={COLUMNS} spacing={{ base: 'sm', sm: 'md' }}>
      {['1', '2', '3', '4', '5', '6'].map((key) => (
        <Skeleton key={key} h={112} />
      ))}
    </SimpleGrid>
  );
}
