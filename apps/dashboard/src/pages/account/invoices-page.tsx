import { Button, Paper, Stack, Text } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconFileInvoice } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { InvoiceMonth } from './invoice-month.tsx';

const invoicesQuery = infiniteQueryOptions({
  queryKey: ['invoices'],
  queryFn: ({ pageParam }) => call('listInvoices', { query: pageParam ? { cursor: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export default function InvoicesPage() {
  const { t } = useTranslation(['account', 'common']);
  const query = useInfiniteQuery(invoicesQuery);
  return (
    <>
      <PageTitle title={t('invoices.title')} text={t('invoices.text')} />
      <Loaded query={query} skeleton={<CardSkeleton h={480} />}>
        {({ pages }) => {
          const months = pages.flatMap((page) => page.months);
          if (months.length === 0) {
            return (
              <Paper withBorder>
                <EmptyState icon={IconFileInvoice} title={t('invoices.emptyTitle')} text={t('invoices.emptyText')} />
              </Paper>
            );
          }
          return (
            <Stack gap="md">
              {months.map((month) => (
                <InvoiceMonth key={month.month} month={month} />
              ))}
              {query.hasNextPage ? (
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('common:more')}
                </Button>
              ) : (
                <Text size="sm" c="dimmed" ta="center">
                  {t('invoices.end')}
                </Text>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </>
  );
}
