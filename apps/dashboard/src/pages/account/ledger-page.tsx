import { Button, Paper, Select, Stack, Text } from '@mantine/core';
import { timeZone } from '@navette/ui/formats';
import type { Language } from '@navette/ui/language';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconDownload, IconReceiptEuro } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, urlOf } from '../../api/call.ts';
import { LedgerTable } from './ledger-table.tsx';
import { lastMonths, monthRange } from './months.ts';

const PAGE = 50;
const MONTHS = 24;

const ledgerQuery = (month: string | null) =>
  infiniteQueryOptions({
    queryKey: ['ledger', month],
    queryFn: ({ pageParam }) =>
      call('listLedger', { query: { ...monthRange(month), limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export default function LedgerPage() {
  const { t, i18n } = useTranslation(['account', 'common']);
  const [month, setMonth] = useState<string | null>(null);
  const query = useInfiniteQuery(ledgerQuery(month));
  const language = i18n.language as Language;
  const monthName = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const months = lastMonths(MONTHS, new Date(), timeZone).map((value) => ({
    value,
    label: monthName.format(new Date(`${value}-01T00:00:00Z`)),
  }));
  return (
    <>
      <PageTitle title={t('ledger.title')} text={t('ledger.text')}>
        <Select
          aria-label={t('ledger.month')}
          placeholder={t('ledger.allMonths')}
          data={months}
          value={month}
          onChange={setMonth}
          clearable
          clearButtonProps={{ 'aria-label': t('ledger.allMonths') }}
          w={190}
        />
        <Button
          component="a"
          href={urlOf('exportLedger', { query: { ...monthRange(month), language } })}
          download
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
        >
          {t('ledger.export')}
        </Button>
      </PageTitle>
      <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) {
            return (
              <Paper withBorder>
                <EmptyState icon={IconReceiptEuro} title={t('ledger.emptyTitle')} text={t('ledger.emptyText')} />
              </Paper>
            );
          }
          return (
            <Stack align="center">
              <LedgerTable entries={entries} />
              {query.hasNextPage ? (
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('common:more')}
                </Button>
              ) : (
                <Text size="sm" c="dimmed">
                  {t('ledger.end')}
                </Text>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </>
  );
}
