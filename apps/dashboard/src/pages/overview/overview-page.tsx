import { SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Attention } from './attention.tsx';
import { ByStatus } from './by-status.tsx';
import { DayCharts } from './day-charts.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { WebhookHealth } from './webhook-health.tsx';

const PERIODS = [7, 30, 90];
const REFRESH_MS = 60_000;

const overviewQuery = (days: number) =>
  queryOptions({
    queryKey: ['overview', days],
    queryFn: async () => (await call('readOverview', { query: { days } })).overview,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

export default function OverviewPage() {
  const { t } = useTranslation('overview');
  const [days, setDays] = useState(30);
  const query = useQuery(overviewQuery(days));
  return (
    <>
      <PageTitle title={t('title')}>
        {query.data?.firstSteps.shipmentCreated !== false && (
          <SegmentedControl
            aria-label={t('period')}
            data={PERIODS.map((count) => ({ value: String(count), label: t('lastDays', { count }) }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
        )}
      </PageTitle>
      <Loaded query={query} skeleton={<OverviewSkeleton />}>
        {(overview) => <Content overview={overview} />}
      </Loaded>
    </>
  );
}

function Content({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const { byStatus, webhooks, firstSteps } = overview;
  if (!firstSteps.shipmentCreated) {
    return (
      <Stack gap="lg">
        <Attention overview={overview} />
        <FirstSteps overview={overview} />
        <Text c="dimmed">{t('empty')}</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <Attention overview={overview} />
      <Figures overview={overview} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <DayCharts overview={overview} />
        <Card title={t('now')}>
          <ByStatus counts={byStatus} />
        </Card>
        <Card title={t('webhooks.title')}>
          <WebhookHealth webhooks={webhooks} />
        </Card>
      </SimpleGrid>
      <FirstSteps overview={overview} />
      <Text size="xs" c="dimmed">
        {t('definitions')}
      </Text>
    </Stack>
  );
}

function OverviewSkeleton() {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', sm: 'md' }}>
        {PERIODS.concat(0).map((key) => (
          <Skeleton key={key} h={112} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <CardSkeleton h={324} />
        <CardSkeleton h={324} />
        <CardSkeleton h={300} />
        <CardSkeleton h={300} />
      </SimpleGrid>
    </Stack>
  );
}
