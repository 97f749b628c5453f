import type { MapBox } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { type MainTown, readMainTowns } from '../../adapters/geocoder/main-towns.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isInside } from '../../geography/area.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import type { DriverPositions } from '../drivers/index.ts';
import { createDriverMap, listDriversIn } from './list-drivers.ts';
import { createStopMap } from './list-stops.ts';
import { serveTiles } from './serve-tiles.ts';

export { createDriverChannel } from './list-drivers.ts';

export interface LiveMapOptions {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'map'>;
}

const MOST_TOWNS = 60; // more names would cover each other
const FRANCE: MapBox = { west: -5.2, south: 41.3, east: 9.7, north: 51.2 };

/** The operator's map over HTTP: its background, and what is in an area. Positions also come over the socket. */
export function serveLiveMap(app: FastifyInstance, { db, positions, config }: LiveMapOptions): void {
  const { styleUrl, tilesFile } = config.map;
  const stops = createStopMap(db);
  const readDrivers = createDriverMap(positions);
  let towns: Promise<MainTown[]> | undefined;

  bindConsole(app, 'readMapSettings', async ({ answer }) => {
    const background = styleUrl ? 'style' : tilesFile ? 'file' : 'plain';
    const start = (await stops.extent()) ?? FRANCE;
    return answer(200, { success: true, map: { background, styleUrl, start } });
  });
  serveTiles(app, tilesFile);

  bindConsole(app, 'listMapTowns', async ({ query, answer }) => {
    const area = requireArea(query);
    towns ??= readMainTowns();
    const visible = (await towns).filter((town) => isInside(area, town));
    return answer(200, { success: true, towns: visible.slice(0, MOST_TOWNS) });
  });
  bindConsole(app, 'listMapStops', async ({ query, answer }) =>
    answer(200, { success: true, ...(await stops.listIn(requireArea(query))) }),
  );
  bindConsole(app, 'listMapDrivers', async ({ query, answer }) =>
    answer(200, { success: true, ...(await listDriversIn(db, readDrivers, requireArea(query))) }),
  );
}

function requireArea(area: MapBox): MapBox {
  const wrong = [...(area.west < area.east ? [] : ['west']), ...(area.south < area.north ? [] : ['south'])];
  if (wrong.length === 0) return area;
  const msg = 'Doit être inférieur au bord opposé.';
  throw fieldErrors(wrong.map((path) => ({ type: 'field' as const, msg, path, location: 'query' as const })));
}
