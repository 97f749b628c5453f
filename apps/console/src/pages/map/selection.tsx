import { CloseButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { MapStop } from '@navette/contract';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { AnchorLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { driverQuery } from '../driver/driver-query.ts';
import { shipmentQuery } from '../shipment/shipment-query.ts';
import { type DriverItem, type Selected, stopId } from './map-items.ts';

interface Props {
  selected: Selected;
  drivers: DriverItem[];
  stops: MapStop[];
  onClose: () => void;
}

/** The chosen driver or stop, with the link to its page. */
export function Selection({ selected, drivers, stops, onClose }: Props) {
  const { t } = useTranslation('map');
  const driver = selected?.kind === 'driver' ? drivers.find(({ id }) => id === selected.id) : undefined;
  const stop = selected?.kind === 'stop' ? stops.find((one) => stopId(one) === selected.id) : undefined;
  if (!driver && !stop) return null;
  const title = driver ? (driver.name ?? t('driver')) : `${t(`stops.${stop?.kind ?? 'drop'}`)} · ${stop?.town}`;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Title order={2} size="h5">
          {title}
        </Title>
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </Group>
      {driver && <ChosenDriver driver={driver} />}
      {stop && <ChosenStop stop={stop} />}
    </Paper>
  );
}

function ChosenDriver({ driver: { id, runs, at, available } }: { driver: DriverItem }) {
  const { t } = useTranslation('map');
  const { data } = useQuery(driverQuery(id));
  const [next] = (data?.page.runs ?? [])
    .flatMap(({ arrival, reference }) => (arrival ? [{ arrival, reference }] : []))
    .toSorted((a, b) => a.arrival.from.localeCompare(b.arrival.from));
  return (
    <Stack gap={6}>
      <Text size="sm">
        {t(available ? 'states.available' : 'states.unavailable')}
        {runs !== null && ` · ${t('runs', { count: runs })}`}
      </Text>
      <Text size="sm" c="dimmed">
        {t('positionAt')} <When at={new Date(at).toISOString()} as="dateTimeSeconds" />
      </Text>
      {next && (
        <Text size="sm">
          {t('nextStop', { reference: next.reference })} <Arrival of={next.arrival} />
        </Text>
      )}
      <ButtonLink to="/drivers/$id" params={{ id }} variant="light" size="compact-md">
        {t('driverPage')}
      </ButtonLink>
    </Stack>
  );
}

function ChosenStop({ stop: { kind, shipment } }: { stop: MapStop }) {
  const { t } = useTranslation('map');
  const { id, reference, status, account, timeSlot, driver } = shipment;
  const { data } = useQuery(shipmentQuery(id));
  const arrival = kind === 'drop' ? data?.shipment.arrival : null; // estimated for the recipient
  return (
    <Stack gap={6}>
      <Group gap={8}>
        <Text size="sm" fw={600}>
          {reference}
        </Text>
        <StatusBadge status={status} />
      </Group>
      <Text size="sm">{[account, timeSlot].filter(Boolean).join(' · ')}</Text>
      <Text size="sm" c="dimmed">
        {driver ? (
          <AnchorLink to="/drivers/$id" params={{ id: driver.id }} size="sm">
            {driver.name}
          </AnchorLink>
        ) : (
          t('noDriver')
        )}
      </Text>
      {arrival && (
        <Text size="sm">
          {t('arrival')} <Arrival of={arrival} />
        </Text>
      )}
      <ButtonLink to="/shipments/$id" params={{ id }} variant="light" size="compact-md">
        {t('shipmentPage')}
      </ButtonLink>
    </Stack>
  );
}
