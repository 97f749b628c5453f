import { Button, Collapse, Group, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shipmentsQuery } from '../shipments-queries.ts';
import { BlockedNotice } from './blocked-notice.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ListActions } from './list-actions.tsx';
import { filtersUsed, type ListFilter, readListFilter } from './list-filter.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import { NoMatch, NoShipmentsYet } from './no-shipments.tsx';
import { SavedViews } from './saved-views.tsx';
import { SearchBox } from './search-box.tsx';
import { ShownLines } from './shown-lines.tsx';

const route = getRouteApi('/member/shipments');

export default function ShipmentsPage() {
  const { t } = useTranslation('shipments');
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const [cleared, setCleared] = useState(0);
  const [filtersOpen, { toggle }] = useDisclosure(filtersUsed(filter) > 0);
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const list = useInfiniteQuery({ ...shipmentsQuery(filter), placeholderData: (before) => before });

  const change = (part: Partial<Record<keyof ListFilter, unknown>>) =>
    void navigate({ search: (before) => readListFilter({ ...before, ...part }), replace: true, resetScroll: false });
  const open = (view: ListFilter) => {
    setCleared(cleared + 1); // remounts the inputs, which have a text of their own
    void navigate({ search: view, replace: true });
  };
  const clear = () => open({});

  const counts = list.data?.pages[0]?.counts;
  const lines = list.data?.pages.flatMap(({ shipments }) => shipments);
  const newAccount = counts && Object.values(counts).every((count) => count === 0);
  const used = filtersUsed(filter);

  return (
    <>
      <ListActions filter={filter} empty={newAccount === true} />
      {/* A new account sees its first steps instead. */}
      {counts && !newAccount && <BlockedNotice />}
      {!newAccount && (
        <Stack gap="sm" mb="md" key={cleared}>
          <SavedViews filter={filter} onOpen={open} />
          <Group gap="sm">
            <SearchBox initial={filter.q ?? ''} onSearch={(q) => change({ q })} showsShortcut={!phone} />
            {phone && (
              <Button
                variant="default"
                leftSection={<IconAdjustmentsHorizontal size={16} />}
                aria-expanded={filtersOpen}
                onClick={toggle}
              >
                {used ? t('filtersUsed', { count: used }) : t('filters')}
              </Button>
            )}
          </Group>
          <Collapse expanded={!phone || filtersOpen}>
            <FilterBar filter={filter} counts={counts} onChange={change} onClear={clear} />
          </Collapse>
        </Stack>
      )}
      {list.isError && !lines && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <ListSkeleton cards={phone} />}
      {newAccount && <NoShipmentsYet />}
      {lines && !newAccount && lines.length === 0 && !list.hasNextPage && <NoMatch onClear={clear} />}
      {lines && (lines.length > 0 || list.hasNextPage) && (
        <ShownLines
          filter={filter}
          lines={lines}
          phone={phone}
          dimmed={list.isPlaceholderData}
          onOrder={(order) => change({ order })}
          more={list.hasNextPage ? { load: () => void list.fetchNextPage(), loading: list.isFetchingNextPage } : null}
        />
      )}
    </>
  );
}
