import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconAddressBook, IconPencil, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardList } from '../developers/card-list.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { addressesQuery, type SavedAddress } from './address-queries.ts';
import { DeleteAddress } from './delete-address.tsx';

const TYPING_PAUSE_MS = 250;

type Dialog = { kind: 'add' } | { kind: 'change' | 'delete'; address: SavedAddress };

export default function AddressesPage() {
  const { t } = useTranslation('addresses');
  const [search, setSearch] = useState('');
  const [debounced] = useDebouncedValue(search, TYPING_PAUSE_MS);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const query = useQuery(addressesQuery(debounced.trim()));
  const close = () => setDialog(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ kind: 'add' })}>
      {t('add')}
    </Button>
  );
  const isEmpty = query.data?.total === 0 && debounced === '';
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        {!isEmpty && add}
      </PageTitle>
      <Stack>
        {!isEmpty && (
          <TextInput
            type="search"
            aria-label={t('search')}
            placeholder={t('searchHint')}
            leftSection={<IconSearch size={16} />}
            maxLength={100}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        )}
        <Loaded query={query} skeleton={<CardSkeleton h={240} />}>
          {({ addresses, total }) => (
            <>
              {isEmpty && (
                <Paper withBorder>
                  <EmptyState icon={IconAddressBook} title={t('emptyTitle')} text={t('emptyText')}>
                    {add}
                  </EmptyState>
                </Paper>
              )}
              {!isEmpty && total === 0 && <Text c="dimmed">{t('nothing')}</Text>}
              <CardList>
                {addresses.map((address) => (
                  <AddressCard key={address.id} address={address} onAct={(kind) => setDialog({ kind, address })} />
                ))}
              </CardList>
              {total > addresses.length && (
                <Text size="sm" c="dimmed">
                  {t('more', { shown: addresses.length, total })}
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Stack>
      {dialog?.kind === 'add' && <AddressDialog address={null} onClose={close} />}
      {dialog?.kind === 'change' && <AddressDialog address={dialog.address} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteAddress address={dialog.address} onClose={close} />}
    </>
  );
}

function AddressCard({ address, onAct }: { address: SavedAddress; onAct: (kind: 'change' | 'delete') => void }) {
  const { t } = useTranslation('addresses');
  const { recipientName, street, postalCode, city, country, phoneNumber, email } = address;
  return (
    <Paper component="li" withBorder px="md" py="sm">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Text fw={600}>{recipientName}</Text>
          <Text size="sm">
            {street}, {postalCode} {city}
            {country !== 'France' && `, ${country}`}
          </Text>
          <Text size="sm" c="dimmed">
            {phoneNumber} · {email}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('changeNamed', { name: recipientName })}
            onClick={() => onAct('change')}
          >
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('deleteNamed', { name: recipientName })}
            onClick={() => onAct('delete')}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  );
}
