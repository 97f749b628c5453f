import type { MapBox, MapCluster, MapPoint, MapSettings, MapStop } from '@navette/contract';
import {
  type AddProtocolAction,
  addProtocol,
  type GeoJSONSource,
  Map as MapLibre,
  type MapMouseEvent,
  Marker,
  NavigationControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { PMTiles, Protocol } from 'pmtiles';
import { urlOf } from '../../api/call.ts';
import { fileStyle, plainStyle, type Scheme } from './base-style.ts';
import { addIcons } from './icons.ts';
import { type DriverItem, type Selected, stopId } from './map-items.ts';

/** Everything that is drawn above the background. */
export interface Drawn {
  drivers: DriverItem[];
  stops: MapStop[];
  clusters: (MapCluster & { label: string; kind: 'driver' | 'stop' })[];
  towns: (MapPoint & { name: string })[];
  zones: { id: string; corners: MapPoint[] }[];
  /** A zone that is being drawn: its edge, and the places that were clicked. */
  draft: { edge: MapPoint[]; places: MapPoint[] };
  selected: Selected;
}

export interface LiveMap {
  draw(drawn: Drawn): void;
  setScheme(scheme: Scheme): void;
  goTo(place: MapPoint): void;
  remove(): void;
}

export interface LiveMapOptions {
  settings: MapSettings;
  scheme: Scheme;
  locale: Record<string, string>;
  onArea: (area: MapBox) => void;
  onSelect: (selected: Selected) => void;
  /** While a zone is drawn: a click is a place. Returns whether it was used. */
  onPlace: (place: MapPoint) => boolean;
}

type Collection = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>;
type Feature = Collection['features'][number];

const CLOSE_ZOOM = 13; // a quarter of a town
const SOURCES = ['zones', 'draft', 'stops', 'drivers'] as const;
const EMPTY: Collection = { type: 'FeatureCollection', features: [] };

setWorkerUrl(new URL(workerUrl, window.location.href).href);
const protocol = new Protocol({ metadata: true }); // the metadata holds the attribution
addProtocol('pmtiles', protocol.tilev4 as AddProtocolAction); // the two packages differ in optional fields

/** The map of the page. MapLibre draws it; this file knows no React. */
export async function createLiveMap(container: HTMLElement, options: LiveMapOptions): Promise<LiveMap> {
  const { settings, onArea, onSelect, onPlace } = options;
  const { west, south, east, north } = settings.start;
  const styleOf = await prepareStyle(settings);
  const map = new MapLibre({
    container,
    style: styleOf(options.scheme),
    bounds: [west, south, east, north],
    fitBoundsOptions: { padding: 60, maxZoom: CLOSE_ZOOM },
    attributionControl: { compact: false },
    renderWorldCopies: false,
    dragRotate: false,
    pitchWithRotate: false,
    locale: options.locale,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-left');
  let shown = options.scheme;
  let last: Drawn | null = null;
  let clusters = new Map<string, Marker>();

  map.on('style.load', () => {
    addOverlay(map);
    if (last) draw(last);
  });
  const tellArea = () => onArea(visibleArea(map));
  map.on('moveend', tellArea);
  tellArea(); // the lists need it, also when the style cannot be loaded
  map.on('click', (event: MapMouseEvent) => {
    const { lat: latitude, lng: longitude } = event.lngLat;
    if (onPlace({ latitude, longitude })) return;
    const [hit] = map.queryRenderedFeatures(event.point, { layers: ['drivers', 'stops'] });
    onSelect(hit ? { kind: hit.layer.id === 'drivers' ? 'driver' : 'stop', id: String(hit.properties.id) } : null);
  });

  function draw(drawn: Drawn): void {
    last = drawn;
    if (!map.getSource('drivers')) return; // the style is still loading, and draws it afterwards
    const features = featuresOf(drawn);
    for (const name of SOURCES) {
      void map.getSource<GeoJSONSource>(name)?.setData({ type: 'FeatureCollection', features: features[name] });
    }
    void map.getSource<GeoJSONSource>('towns')?.setData({ type: 'FeatureCollection', features: features.towns });
    drawClusters(drawn.clusters);
  }

  /** A cluster that stays keeps its button, and the button its focus. */
  function drawClusters(drawn: Drawn['clusters']): void {
    const kept = new Map<string, Marker>();
    for (const cluster of drawn) {
      const key = JSON.stringify(cluster);
      kept.set(key, clusters.get(key) ?? addCluster(map, cluster));
    }
    for (const [key, marker] of clusters) if (!kept.has(key)) marker.remove();
    clusters = kept;
  }

  return {
    draw,
    setScheme(scheme) {
      if (scheme === shown || settings.background === 'style') return;
      shown = scheme;
      map.setStyle(styleOf(scheme), { diff: false }); // a difference would remove what is drawn above the background
    },
    goTo: ({ latitude, longitude }) =>
      void map.easeTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), CLOSE_ZOOM) }),
    remove: () => map.remove(),
  };
}

async function prepareStyle({ background, styleUrl }: MapSettings) {
  if (background === 'style') return () => styleUrl ?? '';
  if (background === 'plain') return plainStyle;
  const url = new URL(urlOf('readMapTiles'), window.location.href).href;
  const archive = new PMTiles(url);
  protocol.add(archive);
  const { tileType } = await archive.getHeader();
  return (scheme: Scheme) => fileStyle(scheme, url, tileType);
}

function visibleArea(map: MapLibre): MapBox {
  const bounds = map.getBounds();
  const within = (value: number, most: number) => Math.max(-most, Math.min(most, Math.round(value * 1e4) / 1e4));
  return {
    west: within(bounds.getWest(), 180),
    south: within(bounds.getSouth(), 90),
    east: within(bounds.getEast(), 180),
    north: within(bounds.getNorth(), 90),
  };
}

function addOverlay(map: MapLibre): void {
  addIcons(map);
  for (const name of SOURCES) map.addSource(name, { type: 'geojson', data: EMPTY });
  map.addLayer({
    id: 'zones',
    type: 'fill',
    source: 'zones',
    paint: { 'fill-color': '#c92a2a', 'fill-opacity': 0.16 },
  });
  map.addLayer({
    id: 'zone-edges',
    type: 'line',
    source: 'zones',
    paint: { 'line-color': '#c92a2a', 'line-width': 2, 'line-dasharray': [2, 1] },
  });
  map.addLayer({ id: 'draft', type: 'fill', source: 'draft', paint: { 'fill-color': '#e8590c', 'fill-opacity': 0.2 } });
  map.addLayer({
    id: 'draft-edges',
    type: 'line',
    source: 'draft',
    paint: { 'line-color': '#e8590c', 'line-width': 3 },
  });
  map.addLayer({
    id: 'draft-corners',
    type: 'circle',
    source: 'draft',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 5,
      'circle-color': '#e8590c',
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 2,
    },
  });
  for (const id of ['stops', 'drivers'] as const) {
    map.addLayer({
      id,
      type: 'symbol',
      source: id,
      layout: { 'icon-image': ['get', 'icon'], 'icon-allow-overlap': true, 'icon-ignore-placement': true },
    });
  }
}

const pointAt = ({ latitude, longitude }: MapPoint, properties: Record<string, string>): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties,
});

function polygonOf(corners: MapPoint[], properties: Record<string, string>): Feature[] {
  if (corners.length < 3) return [];
  const outline = [...corners, ...corners.slice(0, 1)].map(({ latitude, longitude }) => [longitude, latitude]);
  return [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [outline] }, properties }];
}

function featuresOf({ drivers, stops, towns, zones, draft, selected }: Drawn) {
  const iconOf = (icon: string, kind: 'driver' | 'stop', id: string) =>
    selected?.kind === kind && selected.id === id ? `${icon}-selected` : icon;
  const lookOf = ({ isStale, available }: DriverItem) =>
    isStale ? 'driver-stale' : available ? 'driver-available' : 'driver-busy';
  return {
    drivers: drivers.map((driver) =>
      pointAt(driver, { id: driver.id, icon: iconOf(lookOf(driver), 'driver', driver.id) }),
    ),
    stops: stops.map((stop) => pointAt(stop, { id: stopId(stop), icon: iconOf(stop.kind, 'stop', stopId(stop)) })),
    towns: towns.map((town) => pointAt(town, { name: town.name })),
    zones: zones.flatMap(({ id, corners }) => polygonOf(corners, { id })),
    draft: [...polygonOf(draft.edge, {}), ...draft.places.map((place) => pointAt(place, {}))],
  };
}

/** A button of the page rather than a picture: its number needs no font, and a keyboard reaches it. */
function addCluster(map: MapLibre, { latitude, longitude, count, label, kind }: Drawn['clusters'][number]): Marker {
  const element = document.createElement('button');
  element.type = 'button';
  element.dataset.cluster = kind;
  element.textContent = String(count);
  element.ariaLabel = label;
  element.addEventListener('click', (event) => {
    event.stopPropagation();
    map.easeTo({ center: [longitude, latitude], zoom: map.getZoom() + 2 });
  });
  // Clusters of stops are drawn beside those of drivers, which may have the same middle.
  const offset: [number, number] = kind === 'stop' ? [0, 18] : [0, -18];
  return new Marker({ element, offset }).setLngLat([longitude, latitude]).addTo(map);
}
