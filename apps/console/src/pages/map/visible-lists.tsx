import { Badge, Button, Group, Stack, Tabs, Text, UnstyledButton } from '@mantine/core';
import type { MapCluster, MapPoint, MapStop } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './map.module.css';
import { type DriverItem, type Selected, stopId } from './map-items.ts';

interface Props {
  drivers: DriverItem[];
  stops: MapStop[];
  driverClusters: MapCluster[];
  stopClusters: MapCluster[];
  /** Null until it is known. */
  totals: { drivers: number | null; stops: number | null };
  selected: Selected;
  onSelect: (selected: Selected, place: MapPoint) => void;
  onZoom: (place: MapPoint) => void;
  /** A further list: the zones. */
  zones: { count: number; list: ReactNode };
}

/** Everything that the map shows, as lists: the same things, the same links, for keyboard and screen reader. */
export function VisibleLists({ drivers, stops, driverClusters, stopClusters, totals, zones, ...choice }: Props) {
  const { t } = useTranslation('map');
  return (
    <Tabs defaultValue="drivers" className={classes.panel} keepMounted={false}>
      <Tabs.List grow>
        <Tabs.Tab value="drivers">{t('tabs.drivers', { count: totals.drivers ?? 0 })}</Tabs.Tab>
        <Tabs.Tab value="stops">{t('tabs.stops', { count: totals.stops ?? 0 })}</Tabs.Tab>
        <Tabs.Tab value="zones">{t('tabs.zones', { count: zones.count })}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="drivers" className={classes.list}>
        <Clusters clusters={driverClusters} kind="drivers" onZoom={choice.onZoom} />
        <DriverRows drivers={drivers} {...choice} />
        {totals.drivers === 0 && <Nothing text={t('empty.drivers')} />}
      </Tabs.Panel>
      <Tabs.Panel value="stops" className={classes.list}>
        <Clusters clusters={stopClusters} kind="stops" onZoom={choice.onZoom} />
        <StopRows stops={stops} {...choice} />
        {totals.stops === 0 && <Nothing text={t('empty.stops')} />}
      </Tabs.Panel>
      <Tabs.Panel value="zones" className={classes.list}>
        {zones.list}
      </Tabs.Panel>
    </Tabs>
  );
}

const Nothing = ({ text }: { text: string }) => (
  <Text c="dimmed" size="sm" p="md">
    {text}
  </Text>
);

function Clusters({
  clusters,
  kind,
  onZoom,
}: { clusters: MapCluster[]; kind: 'drivers' | 'stops' } & Pick<Props, 'onZoom'>) {
  const { t } = useTranslation('map');
  if (clusters.length === 0) return null;
  return (
    <Stack gap={4} p="xs">
      <Text size="sm">{t(`clustered.${kind}`)}</Text>
      {clusters
        .toSorted((a, b) => b.count - a.count)
        .map((cluster) => (
          <Button
            key={`${cluster.latitude} ${cluster.longitude}`}
            variant="default"
            size="compact-sm"
            justify="space-between"
            rightSection={t('zoomThere')}
            onClick={() => onZoom(cluster)}
          >
            {t(`clusters.${kind}`, { count: cluster.count })}
          </Button>
        ))}
    </Stack>
  );
}

type Choice = Pick<Props, 'selected' | 'onSelect'>;

function DriverRows({ drivers, selected, onSelect }: { drivers: DriverItem[] } & Choice) {
  const { t } = useTranslation('map');
  return drivers.map((driver) => {
    const { id, name, runs, available, isStale } = driver;
    const isSelected = selected?.kind === 'driver' && selected.id === id;
    return (
      <div key={id} className={classes.row} data-selected={isSelected || undefined}>
        <UnstyledButton aria-pressed={isSelected} onClick={() => onSelect({ kind: 'driver', id }, driver)}>
          <Text size="sm" fw={600} truncate>
            {name ?? t('driver')}
          </Text>
          <Text size="xs" c="dimmed">
            {runs === null ? '…' : t('runs', { count: runs })}
          </Text>
        </UnstyledButton>
        <Badge variant="light" tt="none" color={isStale ? 'gray' : available ? 'green' : 'orange'}>
          {t(isStale ? 'states.stale' : available ? 'states.available' : 'states.unavailable')}
        </Badge>
        <AnchorLink to="/drivers/$id" params={{ id }} size="sm" aria-label={t('openDriver', { name: name ?? '' })}>
          {t('open')}
        </AnchorLink>
      </div>
    );
  });
}

function StopRows({ stops, selected, onSelect }: { stops: MapStop[] } & Choice) {
  const { t } = useTranslation('map');
  return stops.map((stop) => {
    const { kind, town, shipment } = stop;
    const isSelected = selected?.kind === 'stop' && selected.id === stopId(stop);
    return (
      <div key={stopId(stop)} className={classes.row} data-selected={isSelected || undefined}>
        <UnstyledButton aria-pressed={isSelected} onClick={() => onSelect({ kind: 'stop', id: stopId(stop) }, stop)}>
          <Text size="sm" fw={600} truncate>
            {t(`stops.${kind}`)} · {town}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {[shipment.reference, shipment.account, shipment.timeSlot].filter(Boolean).join(' · ')}
          </Text>
        </UnstyledButton>
        <Group gap={8} wrap="nowrap">
          <StatusBadge status={shipment.status} />
          <AnchorLink
            to="/shipments/$id"
            params={{ id: shipment.id }}
            size="sm"
            aria-label={t('openShipment', { reference: shipment.reference })}
          >
            {t('open')}
          </AnchorLink>
        </Group>
      </div>
    );
  });
}
