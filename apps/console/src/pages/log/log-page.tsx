import { Button, Group, Stack, Text } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NeedsPermission } from '../../layout/needs-permission.tsx';
import { ActTable } from './act-table.tsx';
import { LogExport } from './log-export.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { actsQuery } from './log-queries.ts';

export default function LogPage() {
  return (
    <NeedsPermission need="administer">
      <Log />
    </NeedsPermission>
  );
}

function Log() {
  const { t } = useTranslation('log');
  const { t: tCommon } = useTranslation();
  const filter = useSearch({ from: '/staff/log' });
  const query = useInfiniteQuery(actsQuery(filter));
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        <LogExport />
      </PageTitle>
      <Stack gap="md">
        <LogFilterBar filter={filter} />
        <Loaded query={query} skeleton={<CardSkeleton h={480} />}>
          {({ pages }) => {
            const acts = pages.flatMap((page) => page.acts);
            if (acts.length === 0) {
              return <EmptyState icon={IconHistory} title={t('empty.title')} text={t('empty.text')} />;
            }
            return (
              <>
                <ActTable acts={acts} />
                <Group justify="space-between">
                  <Text size="sm" c="dimmed">
                    {t('shown', { count: acts.length })}
                  </Text>
                  {query.hasNextPage && (
                    <Button
                      variant="default"
                      loading={query.isFetchingNextPage}
                      onClick={() => void query.fetchNextPage()}
                    >
                      {tCommon('more')}
                    </Button>
                  )}
                </Group>
              </>
            );
          }}
        </Loaded>
      </Stack>
    </>
  );
}
