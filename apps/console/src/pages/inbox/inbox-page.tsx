import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconArrowUp, IconCoffee } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysButton } from '../../keys/keys-button.tsx';
import { EntryDialogs } from './entry-dialogs.tsx';
import classes from './inbox.module.css';
import type { InboxFilter } from './inbox-filter.ts';
import { InboxLists } from './inbox-lists.tsx';
import { InboxRow } from './inbox-row.tsx';
import type { OpenDialog } from './row-acts.ts';
import { useChangeEntry } from './use-change-entry.ts';
import { useInbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

export default function InboxPage() {
  const filter = useSearch({ from: '/staff/' });
  // A new list starts without rows, selection and messages of another one.
  return <InboxContent key={`${filter.list} ${filter.kind}`} filter={filter} />;
}

function InboxContent({ filter }: { filter: InboxFilter }) {
  const { t } = useTranslation('inbox');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const inbox = useInbox(filter);
  const changes = useChangeEntry(inbox.apply);
  const { query, rows, selectedKey, held } = inbox;
  const keys = useInboxKeys({ inbox, changes, open: setDialog, isDialogOpen: dialog !== null });
  const isFirstList = !filter.list && !filter.kind;
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        <KeysButton onOpen={() => setDialog({ name: 'keys' })}>{t('keys.open')}</KeysButton>
      </PageTitle>
      <Stack gap="sm">
        <InboxLists filter={filter} counts={query.data?.counts} />
        <Group justify="space-between" mih={34} gap="sm" aria-live="polite">
          <Text size="sm" c="dimmed">
            {rows ? t('shown', { count: query.data?.keys.length ?? 0 }) : ' '}
            {query.isError && rows ? ` · ${t('notRefreshed')}` : ''}
          </Text>
          {held > 0 && (
            <Button size="xs" variant="light" leftSection={<IconArrowUp size={14} />} onClick={inbox.showLatest}>
              {t('held', { count: held })}
            </Button>
          )}
        </Group>
        {rows === null && (query.isError ? <Failure query={query} /> : <LoadingRows />)}
        {rows?.length === 0 && (
          <EmptyState
            icon={IconCoffee}
            title={t(isFirstList ? 'empty.title' : 'empty.listTitle')}
            text={t(isFirstList ? 'empty.text' : 'empty.listText')}
          />
        )}
        {rows && rows.length > 0 && (
          <ul className={classes.list} aria-label={t('title')} {...inbox.listEvents}>
            {rows.map((row, index) => (
              <InboxRow
                key={row.entry.key}
                row={row}
                now={query.data?.at ?? row.entry.since}
                isSelected={row.entry.key === selectedKey}
                isTabStop={selectedKey === null ? index === 0 : row.entry.key === selectedKey}
                conflict={changes.conflicts[row.entry.key]}
                isBusy={changes.busyKey === row.entry.key}
                onSelect={inbox.select}
                onChange={keys.change}
                onOpen={setDialog}
              />
            ))}
          </ul>
        )}
        {inbox.more > 0 && (
          <Button variant="default" loading={inbox.isReadingMore} onClick={inbox.showMore}>
            {t('more', { count: inbox.more })}
          </Button>
        )}
      </Stack>
      <EntryDialogs dialog={dialog} onClose={() => setDialog(null)} onChange={keys.change} onConflict={changes.note} />
    </>
  );
}

const Failure = ({ query }: { query: { error: unknown; refetch: () => Promise<unknown> } }) => (
  <ErrorState error={query.error} onRetry={() => void query.refetch()} />
);

/** As many rows as a screen shows, of the same height. */
function LoadingRows() {
  return (
    <Stack gap={1} aria-busy="true" mih={600}>
      {Array.from({ length: 10 }, (_, index) => `row ${index}`).map((row) => (
        <Skeleton key={row} height={58} />
      ))}
    </Stack>
  );
}
