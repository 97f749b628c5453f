import { Alert, useComputedColorScheme } from '@mantine/core';
import type { MapBox, MapPoint, MapSettings } from '@navette/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import 'maplibre-gl/dist/maplibre-gl.css';
import { createLiveMap, type Drawn, type LiveMap } from './live-map.ts';
import classes from './map.module.css';
import type { Selected } from './map-items.ts';

interface Props {
  settings: MapSettings;
  drawn: Drawn;
  /** Moves there when it changes. */
  target: MapPoint | null;
  onArea: (area: MapBox) => void;
  onSelect: (selected: Selected) => void;
  onPlace: (place: MapPoint) => boolean;
}

/** The map itself. Without WebGL the page works with its lists. */
export function MapCanvas({ settings, drawn, target, ...handlers }: Props) {
  const { t } = useTranslation('map');
  const scheme = useComputedColorScheme('light');
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef({ ...handlers, drawn });
  latest.current = { ...handlers, drawn };
  const [map, setMap] = useState<LiveMap | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made once; later changes are passed to it
  useEffect(() => {
    let isGone = false;
    let created: LiveMap | null = null;
    const element = container.current;
    if (!element) return;
    createLiveMap(element, {
      settings,
      scheme,
      locale: {
        'NavigationControl.ZoomIn': t('zoomIn'),
        'NavigationControl.ZoomOut': t('zoomOut'),
        'Map.Title': t('canvas'),
      },
      onArea: (area) => latest.current.onArea(area),
      onSelect: (selected) => latest.current.onSelect(selected),
      onPlace: (place) => latest.current.onPlace(place),
    }).then(
      (made) => {
        if (isGone) return made.remove();
        created = made;
        setMap(made);
      },
      () => {
        setHasFailed(true);
        latest.current.onArea(settings.start); // the lists show the area with which the map would open
      },
    );
    return () => {
      isGone = true;
      created?.remove();
    };
  }, []);

  useEffect(() => map?.setScheme(scheme), [map, scheme]);
  useEffect(() => map?.draw(drawn), [map, drawn]);
  useEffect(() => {
    if (target) map?.goTo(target);
  }, [map, target]);

  return (
    <div className={classes.canvas}>
      {hasFailed && (
        <Alert color="orange" m="md" title={t('noCanvas.title')}>
          {t('noCanvas.text')}
        </Alert>
      )}
      <div ref={container} className={classes.map} data-ready={map !== null} />
    </div>
  );
}
