import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { MAX_SAVED_VIEWS } from '@navette/contract/limits';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useSession } from '../../../session/session.ts';
import { savedViewsQuery } from '../shipments-queries.ts';
import { fromQuery, type ListFilter, toQuery } from './list-filter.ts';

interface Props {
  filter: ListFilter;
  onOpen: (filter: ListFilter) => void;
}

/** The member's named filters, above the list, and the button that adds the current one. */
export function SavedViews(props: Props) {
  const isMember = useSession().view === null; // staff who view the dashboard have none
  return isMember && <Views {...props} />;
}

const isSame = (one: ListFilter, other: ListFilter) => textOf(one) === textOf(other);
const textOf = (filter: ListFilter) => JSON.stringify(Object.entries(filter).sort(([a], [b]) => a.localeCompare(b)));

function Views({ filter, onOpen }: Props) {
  const { t } = useTranslation('shipments');
  const queryClient = useQueryClient();
  const { data: views = [] } = useQuery(savedViewsQuery);
  const remove = useMutation({
    mutationFn: (id: string) => call('deleteSavedView', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries(savedViewsQuery),
  });
  const current = views.find((view) => isSame(fromQuery(view.filters), filter));
  const canSave = Object.keys(filter).length > 0 && !current && views.length < MAX_SAVED_VIEWS;
  if (views.length === 0 && !canSave) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('savedViews')}>
      {views.map((view) => (
        <Button.Group key={view.id}>
          <Button
            size="compact-sm"
            variant={view === current ? 'light' : 'default'}
            aria-pressed={view === current}
            onClick={() => onOpen(view === current ? {} : fromQuery(view.filters))}
          >
            {view.name}
          </Button>
          {view === current && (
            <ActionIcon
              size={26}
              variant="light"
              aria-label={t('deleteView', { name: view.name })}
              onClick={() => remove.mutate(view.id)}
            >
              <IconX size={14} />
            </ActionIcon>
          )}
        </Button.Group>
      ))}
      {canSave && <SaveButton filter={filter} />}
    </Group>
  );
}

function SaveButton({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation('shipments');
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [opened, { toggle, close }] = useDisclosure();
  const save = useMutation({
    mutationFn: () => call('saveView', { body: { name: name.trim(), filters: toQuery(filter) } }),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries(savedViewsQuery);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Popover opened={opened} onDismiss={close} trapFocus returnFocus withArrow shadow="md" width={280}>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" leftSection={<IconBookmark size={14} />} onClick={toggle}>
          {t('saveView')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              size="xs"
              label={t('viewName')}
              maxLength={60}
              required
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={save.isError && explain(save.error)}
              data-autofocus
            />
            <Button size="xs" type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              {t('saveViewNow')}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
