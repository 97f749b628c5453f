import { Stack, Text } from '@mantine/core';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DriverList } from '../../acts/driver-list.tsx';
import { call } from '../../api/call.ts';
import type { NamedDriver } from './assigned.ts';
import type { Chosen } from './use-selection.ts';

interface Props {
  /** Drivers are listed by their distance to its pickup. */
  shipment: Chosen;
  many: boolean;
  onChoose: (driver: NamedDriver) => void;
}

/** Type a name, or take the driver who is best placed. */
export function ChooseDriver({ shipment: { id, reference }, many, onChoose }: Props) {
  const { t } = useTranslation('dispatch');
  const [name, setName] = useState('');
  const query = useQuery({
    queryKey: ['assignable', id, name],
    queryFn: () => call('listAssignableDrivers', { params: { id }, query: name ? { name } : {} }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <Stack>
      {many && <Text size="sm">{t('assign.placedFor', { reference })}</Text>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <DriverList
        drivers={query.data?.drivers}
        isSearching={query.isPlaceholderData}
        chosen={null}
        onSearch={setName}
        onChoose={onChoose}
      />
    </Stack>
  );
}
