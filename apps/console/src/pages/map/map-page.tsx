import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { MapBox, MapPoint, MapSettings } from '@navette/contract';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NeedsPermission } from '../../layout/needs-permission.tsx';
import classes from './map.module.css';
import { MapCanvas } from './map-canvas.tsx';
import { joinDrivers, type Selected } from './map-items.ts';
import { driversQuery, mapSettingsQuery, stopsQuery, townsQuery, zonesQuery } from './map-queries.ts';
import { loadPageAgain, wasLoadedForMap } from './page-policy.ts';
import { Selection } from './selection.tsx';
import { type LiveState, useMovingDrivers } from './use-moving-drivers.ts';
import { useZoneDraft } from './use-zone-draft.ts';
import { VisibleLists } from './visible-lists.tsx';
import { ZoneForm } from './zone-form.tsx';
import { ZoneList } from './zone-list.tsx';

/** Drivers and open shipments on a map, and beside it as lists. */
export default function MapPage() {
  return (
    <NeedsPermission need="dispatch">
      <Page />
    </NeedsPermission>
  );
}

function Page() {
  const query = useQuery(mapSettingsQuery);
  return (
    <Loaded query={query} skeleton={<Skeleton height={640} />}>
      {({ map }) => <WithPolicy settings={map} />}
    </Loaded>
  );
}

/** Loads the page again where its content policy does not fit. */
function WithPolicy({ settings }: { settings: MapSettings }) {
  const needsPolicy = settings.background === 'style';
  const isRight = !needsPolicy || wasLoadedForMap;
  useEffect(() => {
    if (!isRight) loadPageAgain();
    return needsPolicy ? loadPageAgain : undefined;
  }, [isRight, needsPolicy]);
  return isRight ? <Content settings={settings} /> : <Skeleton height={640} />;
}

const COLOURS: Record<LiveState, string> = { connecting: 'gray', live: 'green', unknown: 'orange', lost: 'red' };

function Content({ settings }: { settings: MapSettings }) {
  const { t } = useTranslation('map');
  const [area, setArea] = useState<MapBox | null>(null);
  const [selected, setSelected] = useState<Selected>(null);
  const [target, setTarget] = useState<MapPoint | null>(null);
  const { state, moved } = useMovingDrivers(area);
  const live = state === 'live' ? moved : null; // otherwise outdated, and of another area after the map was moved
  const driversRead = useQuery(driversQuery(area));
  const stopsRead = useQuery(stopsQuery(area));
  const zonesRead = useQuery(zonesQuery);
  const named = driversRead.data;
  const stopsInArea = stopsRead.data;
  const towns = useQuery({ ...townsQuery(area), enabled: area !== null && settings.background === 'plain' }).data;

  const zones = zonesRead.data?.zones ?? NOTHING;
  const zone = useZoneDraft(t('zones.defaultMessage'));
  const places = zone.draft?.places ?? NOTHING;
  const edge = zone.effect?.corners ?? places;

  const drivers = useMemo(() => joinDrivers(live, named?.drivers ?? [], Date.now()), [live, named]);
  const stops = stopsInArea?.stops ?? NOTHING;
  const driverClusters = (live ?? named)?.clusters ?? NOTHING;
  const stopClusters = stopsInArea?.clusters ?? NOTHING;
  const drawn = useMemo(
    () => ({
      ...{ drivers, stops, selected, zones, draft: { edge, places } },
      towns: towns?.towns ?? [],
      clusters: [
        ...driverClusters.map((cluster) => ({
          ...cluster,
          kind: 'driver' as const,
          label: t('clusters.drivers', { count: cluster.count }),
        })),
        ...stopClusters.map((cluster) => ({
          ...cluster,
          kind: 'stop' as const,
          label: t('clusters.stops', { count: cluster.count }),
        })),
      ],
    }),
    [drivers, stops, selected, zones, edge, places, towns, driverClusters, stopClusters, t],
  );
  const choose = useCallback((choice: Selected, place: MapPoint) => {
    setSelected(choice);
    setTarget({ latitude: place.latitude, longitude: place.longitude });
  }, []);

  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        <Badge variant="light" color={COLOURS[state]} tt="none" size="lg" role="status">
          {t(`live.${state}`)}
        </Badge>
      </PageTitle>
      <div className={classes.layout}>
        <Stack gap="xs" mih={0}>
          <MapCanvas
            settings={settings}
            drawn={drawn}
            target={target}
            onArea={setArea}
            onSelect={setSelected}
            onPlace={zone.place}
          />
          <Legend />
        </Stack>
        <Stack gap="sm" mih={0}>
          <FormError error={driversRead.error ?? stopsRead.error ?? zonesRead.error} />
          <Selection selected={selected} drivers={drivers} stops={stops} onClose={() => setSelected(null)} />
          {zone.draft ? (
            <div className={classes.list}>
              <ZoneForm zone={zone} draft={zone.draft} />
            </div>
          ) : (
            <VisibleLists
              drivers={drivers}
              stops={stops}
              driverClusters={driverClusters}
              stopClusters={stopClusters}
              totals={{ drivers: (live ?? named)?.total ?? null, stops: stopsInArea?.total ?? null }}
              selected={selected}
              onSelect={choose}
              onZoom={(place) => setTarget({ ...place })}
              zones={{
                count: zones.length,
                list: zonesRead.data ? (
                  <ZoneList zones={zones} onShow={(place) => setTarget({ ...place })} onBegin={zone.begin} />
                ) : (
                  <Skeleton height={120} />
                ),
              }}
            />
          )}
        </Stack>
      </div>
    </>
  );
}

const NOTHING: never[] = [];

function Legend() {
  const { t } = useTranslation('map');
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('legend.title')}>
      {(['available', 'busy', 'stale', 'pickup', 'drop'] as const).map((entry) => (
        <Text key={entry} component="li" size="xs" c="dimmed">
          {t(`legend.${entry}`)}
        </Text>
      ))}
    </Group>
  );
}
