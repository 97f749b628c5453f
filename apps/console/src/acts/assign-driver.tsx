import { Button, Stack } from '@mantine/core';
import type { AssignableDriver } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { DriverList } from './driver-list.tsx';
import { useAct } from './use-act.ts';
import { WhyText } from './why-text.tsx';

/** Assigns the shipment to a driver: type a name, choose, read what will happen, confirm. */
export function AssignDriver({ subject, why, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('acts');
  const { id, title } = subject;
  const [name, setName] = useState('');
  const [driver, setDriver] = useState<AssignableDriver | null>(null);
  const query = useQuery({
    queryKey: ['assignable', id, name],
    queryFn: () => call('listAssignableDrivers', { params: { id }, query: name ? { name } : {} }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  // The version of the list that the person reads: a change after it refuses the act.
  const version = query.data?.shipment.version ?? '';
  const assign = useAct(
    { onDone, onConflict },
    ({ id: driverId }: AssignableDriver) => call('assignShipment', { params: { id }, body: { driverId, version } }),
    (_answer, chosen) => t('assign.done', { title, driver: chosen.name }),
  );
  return (
    <Stack>
      <WhyText why={why} />
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <DriverList
        drivers={query.data?.drivers}
        isSearching={query.isPlaceholderData}
        chosen={driver}
        onSearch={setName}
        onChoose={setDriver}
      />
      {driver && <Outlook driver={driver} title={title} />}
      <ActFailure error={assign.error} />
      {driver && (
        <Button
          key={driver.id}
          autoFocus
          loading={assign.isPending}
          disabled={query.isPlaceholderData}
          onClick={() => assign.mutate(driver)}
        >
          {t('assign.submit', { driver: driver.name })}
        </Button>
      )}
    </Stack>
  );
}

function Outlook({ driver, title }: { driver: AssignableDriver; title: string }) {
  const { t } = useTranslation('acts');
  const format = useFormat();
  return (
    <Consequences
      lines={[
        t('assign.driverNotified', { title, driver: driver.name }),
        t('assign.runsAfter', { count: driver.runs + 1 }),
        ...driver.warnings.map((warning) =>
          t(`assign.warns.${warning}`, { km: format.number(driver.distanceKm ?? 0), count: driver.runs }),
        ),
      ]}
    />
  );
}
