import type { StyleSpecification } from 'maplibre-gl';
import type { TileType } from 'pmtiles';

export type Scheme = 'light' | 'dark';

const COLOURS = {
  light: {
    ground: '#eef0ec',
    water: '#c7dcea',
    green: '#dfe9d8',
    road: '#ffffff',
    line: '#c3c8cf',
    text: '#39414d',
    halo: '#ffffff',
  },
  dark: {
    ground: '#1e2227',
    water: '#15303f',
    green: '#23302a',
    road: '#3a414a',
    line: '#4a525c',
    text: '#c9d0d9',
    halo: '#16191d',
  },
} as const;

/** Fonts are drawn by the browser: the style has no address of fonts. */
const LABEL = { 'text-font': ['sans-serif'], 'text-size': 13 } as const;
const label = (scheme: Scheme) => ({
  'text-color': COLOURS[scheme].text,
  'text-halo-color': COLOURS[scheme].halo,
  'text-halo-width': 1.4,
});

const background = (scheme: Scheme) => ({
  id: 'background',
  type: 'background' as const,
  paint: { 'background-color': COLOURS[scheme].ground },
});

/** Towns on a plain background, for an installation without tiles. */
export const plainStyle = (scheme: Scheme): StyleSpecification => ({
  version: 8,
  sources: {
    towns: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, attribution: 'GeoNames (CC BY 4.0)' },
  },
  layers: [
    background(scheme),
    {
      id: 'town-points',
      type: 'circle',
      source: 'towns',
      paint: { 'circle-radius': 2.5, 'circle-color': COLOURS[scheme].line },
    },
    {
      id: 'towns',
      type: 'symbol',
      source: 'towns',
      layout: {
        ...LABEL,
        'text-font': ['sans-serif'],
        'text-field': ['get', 'name'],
        'text-anchor': 'top',
        'text-offset': [0, 0.4],
      },
      paint: label(scheme),
    },
  ],
});

const RASTER: TileType[] = [2, 3, 4, 5]; // PNG, JPEG, WebP, AVIF

/** The operator's PMTiles file: pictures, or vector tiles with the layers of Protomaps. */
export function fileStyle(scheme: Scheme, url: string, tileType: TileType): StyleSpecification {
  if (RASTER.includes(tileType)) {
    return {
      version: 8,
      sources: { tiles: { type: 'raster', url: `pmtiles://${url}`, tileSize: 256 } },
      layers: [
        background(scheme),
        {
          id: 'tiles',
          type: 'raster',
          source: 'tiles',
          paint: scheme === 'dark' ? { 'raster-brightness-max': 0.6, 'raster-saturation': -0.3 } : {},
        },
      ],
    };
  }
  const { water, green, road, line } = COLOURS[scheme];
  const of = (layer: string) => ({ source: 'tiles', 'source-layer': layer });
  return {
    version: 8,
    sources: { tiles: { type: 'vector', url: `pmtiles://${url}` } },
    layers: [
      background(scheme),
      { id: 'landuse', type: 'fill', ...of('landuse'), paint: { 'fill-color': green, 'fill-opacity': 0.7 } },
      {
        id: 'water',
        type: 'fill',
        ...of('water'),
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': water },
      },
      {
        id: 'buildings',
        type: 'fill',
        ...of('buildings'),
        minzoom: 14,
        paint: { 'fill-color': line, 'fill-opacity': 0.35 },
      },
      {
        id: 'roads',
        type: 'line',
        ...of('roads'),
        paint: {
          'line-color': ['match', ['get', 'kind'], ['highway', 'major_road'], line, road],
          'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 6, 0.4, 12, 1.2, 18, 12],
        },
      },
      { id: 'boundaries', type: 'line', ...of('boundaries'), paint: { 'line-color': line, 'line-dasharray': [3, 2] } },
      {
        id: 'places',
        type: 'symbol',
        ...of('places'),
        layout: {
          ...LABEL,
          'text-font': ['sans-serif'],
          'text-field': ['coalesce', ['get', 'name:fr'], ['get', 'name']],
        },
        paint: label(scheme),
      },
    ],
  };
}
