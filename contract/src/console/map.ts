import Type, { type Static } from 'typebox';
import { Closed, File, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { MOST_DRAWN } from './map-channel.ts';

const Latitude = (description?: string) =>
  Type.Number({ minimum: -90, maximum: 90, ...(description ? { description } : {}) });
const Longitude = (description?: string) =>
  Type.Number({ minimum: -180, maximum: 180, ...(description ? { description } : {}) });

const Area = Type.Object({
  west: Longitude('The western edge of the visible area, less than `east`.'),
  south: Latitude('The southern edge, less than `north`.'),
  east: Longitude(),
  north: Latitude(),
});

const Cluster = Closed(
  { latitude: Type.Number(), longitude: Type.Number(), count: Type.Integer() },
  { title: 'MapCluster' },
);
const CLUSTERS = `Instead of single ones, when there are more than ${MOST_DRAWN}.`;

const MapStop = Closed(
  {
    kind: OneOf(['pickup', 'drop'] as const, { description: 'A pickup is listed until the parcel is picked up.' }),
    latitude: Type.Number(),
    longitude: Type.Number(),
    town: Type.String(),
    shipment: Closed({
      id: Id('The shipment.'),
      reference: Type.String(),
      status: OneOf(SHIPMENT_STATUSES),
      account: Type.String(),
      timeSlot: Nullable(Type.String()),
      driver: Nullable(Closed({ id: Id('The driver.'), name: Type.String() })),
    }),
  },
  { title: 'MapStop' },
);
export type MapStop = Static<typeof MapStop>;

const MapDriver = Closed(
  {
    id: Id('The driver.'),
    name: Type.String(),
    latitude: Type.Number(),
    longitude: Type.Number(),
    at: Instant({ description: 'Of the position, within two minutes.' }),
    available: Type.Boolean(),
    runs: Type.Integer({ description: 'Under way.' }),
  },
  { title: 'MapDriver' },
);
export type MapDriver = Static<typeof MapDriver>;

const MapSettings = Closed(
  {
    background: OneOf(['style', 'file', 'plain'] as const, {
      description: '`MAP_STYLE_URL`, `MAP_TILES_FILE`, or neither: towns on a plain background.',
    }),
    styleUrl: Nullable(Type.String()),
    start: Closed({ west: Type.Number(), south: Type.Number(), east: Type.Number(), north: Type.Number() }),
  },
  { title: 'MapSettings' },
);
export type MapSettings = Static<typeof MapSettings>;

export const mapEndpoints = defineConsoleEndpoints({
  readMapSettings: {
    section: 'Map',
    summary: 'Read the background of the map, and the area with which it opens',
    description: 'The area holds all open stops; without any, metropolitan France.',
    answers: { 200: Closed({ success: Success, map: MapSettings }) },
    needs: 'dispatch',
  },
  readMapTiles: {
    section: 'Map',
    summary: 'Read a part of the operator’s PMTiles file',
    description: 'By `Range`. 404 when `MAP_TILES_FILE` is not set. These requests have a limit of their own.',
    answers: { 206: File('application/octet-stream'), 304: File('text/plain'), 416: File('text/plain') },
    needs: 'dispatch',
    findsOne: true,
    budget: 'tiles',
  },
  listMapTowns: {
    section: 'Map',
    summary: 'List the main towns of an area, for a map without tiles',
    description: 'At most 60, the most important first.',
    query: Area,
    answers: {
      200: Closed({
        success: Success,
        towns: Type.Array(Closed({ name: Type.String(), latitude: Type.Number(), longitude: Type.Number() })),
      }),
    },
    needs: 'dispatch',
  },
  listMapStops: {
    section: 'Map',
    summary: 'List the stops of open shipments in an area',
    description: `Pickups that are due and places of delivery. Above ${MOST_DRAWN} they are counted by clusters, from counts that are at most a few seconds old.`,
    query: Area,
    answers: {
      200: Closed({
        success: Success,
        stops: Type.Array(MapStop),
        clusters: Type.Array(Cluster, { description: CLUSTERS }),
        total: Type.Integer(),
      }),
    },
    needs: 'dispatch',
  },
  listMapDrivers: {
    section: 'Map',
    summary: 'List the drivers in an area, with names and runs',
    description: 'Drivers with a position of the last two minutes.',
    query: Area,
    answers: {
      200: Closed({
        success: Success,
        known: Type.Boolean({ description: 'False while positions cannot be read.' }),
        drivers: Type.Array(MapDriver),
        clusters: Type.Array(Cluster, { description: CLUSTERS }),
        total: Type.Integer(),
      }),
    },
    needs: 'dispatch',
  },
});
