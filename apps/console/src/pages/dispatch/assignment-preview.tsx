import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { AssignmentPreview as PreviewRow } from '@navette/contract';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { IconArrowRight, IconBan } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { call } from '../../api/call.ts';
import type { Assigned, NamedDriver } from './assigned.ts';
import classes from './dispatch.module.css';
import { readAgain } from './read-again.ts';
import type { Chosen } from './use-selection.ts';

interface Props {
  shipments: Chosen[];
  driver: NamedDriver;
  onOther: () => void;
  onDone: (assigned: Assigned) => void;
}

/** Says for every row what will happen and what is against it. The assignment carries the versions that are shown here. */
export function AssignmentPreview({ shipments, driver, onOther, onDone }: Props) {
  const { t } = useTranslation('dispatch');
  // One id for as long as the dialog is open: sent again after a failure, nothing is assigned twice.
  const [commandId] = useState(() => crypto.randomUUID());
  const shipmentIds = shipments.map(({ id }) => id);
  const query = useQuery({
    queryKey: ['board', 'preview', driver.id, shipmentIds, commandId],
    queryFn: () => call('previewAssignments', { body: { driverId: driver.id, shipmentIds } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const assign = useMutation({
    mutationFn: (rows: { shipmentId: string; version: string }[]) =>
      call('assignShipments', { body: { commandId, driverId: driver.id, rows } }),
    onSuccess: (answer) => onDone({ commandId, driver, answer }),
    onSettled: () => readAgain(queryClient),
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LinesSkeleton h={260} />;
  const { rows, driver: facts } = query.data;
  const references = new Map(shipments.map(({ id, reference }) => [id, reference]));
  const possible = rows.flatMap(({ shipmentId, will, shipment }) =>
    will !== 'refuse' && shipment ? [{ shipmentId, version: shipment.version }] : [],
  );
  const lines = [
    t('assign.notified', { driver: driver.name }),
    t('assign.runsAfter', { count: facts.runs + possible.length, most: facts.runsPerDriver }),
    t('assign.merchants'),
  ];
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          {driver.name}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onOther}>
          {t('assign.otherDriver')}
        </Button>
      </Group>
      <ul className={classes.rows} aria-label={t('assign.rows')}>
        {rows.map((row) => (
          <PreviewLine key={row.shipmentId} row={row} reference={references.get(row.shipmentId) ?? ''} to={driver} />
        ))}
      </ul>
      {possible.length > 0 && <Consequences lines={lines} />}
      <ActFailure error={assign.error} />
      {assign.isError && <Text size="sm">{t('assign.sendAgain')}</Text>}
      {possible.length === 0 ? (
        <Text c="dimmed">{t('assign.nothing')}</Text>
      ) : (
        <Button data-autofocus autoFocus loading={assign.isPending} onClick={() => assign.mutate(possible)}>
          {t('assign.submit', { count: possible.length, driver: driver.name })}
        </Button>
      )}
    </Stack>
  );
}

function PreviewLine({ row, reference, to }: { row: PreviewRow; reference: string; to: NamedDriver }) {
  const { t } = useTranslation('dispatch');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const { will, refusal, shipment, distanceKm, warnings } = row;
  const isRefused = will === 'refuse';
  const Icon = isRefused ? IconBan : IconArrowRight;
  return (
    <li className={classes.line} data-refused={isRefused || undefined}>
      <Icon size={16} aria-hidden />
      <div className={classes.lineText}>
        <Text size="sm">
          <b>{reference}</b>{' '}
          {refusal
            ? t(`refusals.${refusal}`, { status: shipment ? tCommon(`statuses.${shipment.status}`) : '' })
            : shipment?.driver
              ? t('assign.from', { from: shipment.driver.name, to: to.name })
              : t('assign.to', { to: to.name })}
          {!isRefused && distanceKm !== null && ` · ${t('assign.km', { km: format.number(distanceKm) })}`}
        </Text>
        {warnings.length > 0 && (
          <Group gap={4} mt={2}>
            {warnings.map((warning) => (
              <Badge key={warning} size="sm" variant="light" color="orange" tt="none" className={classes.warning}>
                {t(`warnings.${warning}`)}
              </Badge>
            ))}
          </Group>
        )}
      </div>
    </li>
  );
}
