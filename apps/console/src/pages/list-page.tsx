import { Button, Group, Paper, Table, Text } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconPlus } from '@tabler/icons-react';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../acts/act-frame.tsx';

interface Page {
  nextCursor: string | null;
}

/** A list that is read page by page; `read` gets an empty query for the first one. */
export const usePagedList = <P extends Page>(name: string, read: (query: { cursor?: string }) => Promise<P>) =>
  useInfiniteQuery({
    queryKey: [name],
    queryFn: ({ pageParam }) => read(pageParam ? { cursor: pageParam } : {}),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

interface Props<P> {
  title: string;
  text: string;
  /** The form that creates a new one; null for a person who may not. */
  creation: { button: string; title: string; form: ReactNode } | null;
  /** Beside the button. */
  filter?: ReactNode;
  /** Shown instead of rows when there are none. */
  empty?: string;
  query: UseInfiniteQueryResult<InfiniteData<P>>;
  head: ReactNode;
  rows: (pages: P[]) => ReactNode[];
}

/** A table of merchants, drivers or payments, with a dialog that creates one. */
export function ListPage<P extends Page>({ title, text, creation, filter, empty, query, head, rows }: Props<P>) {
  const { t } = useTranslation();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <PageTitle title={title} text={text}>
        {filter}
        {creation && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
            {creation.button}
          </Button>
        )}
      </PageTitle>
      <Loaded query={query} skeleton={<CardSkeleton h={480} />}>
        {({ pages }) => (
          <Paper withBorder p="md">
            <Table.ScrollContainer minWidth={640}>
              <Table verticalSpacing="sm" aria-label={title}>
                <Table.Thead>
                  <Table.Tr>{head}</Table.Tr>
                </Table.Thead>
                <Table.Tbody>{rows(pages)}</Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {empty && rows(pages).length === 0 && (
              <Text size="sm" c="dimmed">
                {empty}
              </Text>
            )}
            {query.hasNextPage && (
              <Group mt="md">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('more')}
                </Button>
              </Group>
            )}
          </Paper>
        )}
      </Loaded>
      {creation && isCreating && (
        <ActFrame title={creation.title} isWide={false} onClose={() => setIsCreating(false)}>
          {creation.form}
        </ActFrame>
      )}
    </>
  );
}
