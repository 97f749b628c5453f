import type { FastifyBaseLogger } from 'fastify';
import type { Coordinates } from './find-tracked-shipment.ts';
import { type MapTiles, openMapTiles } from './map-tiles.ts';
import { drawStreets, type StreetMap } from './street-map.ts';

export interface Streets {
  /** Streets around two places; null without a usable file, or when the places are too far apart. */
  draw(driver: Coordinates, destination: Coordinates): Promise<StreetMap | null>;
  close(): Promise<void>;
}

/** The file is opened for the first page that needs it. Whatever is wrong with it, pages show the sketch instead. */
export function createStreets(file: string, log: Pick<FastifyBaseLogger, 'warn'>): Streets {
  const unusable = (error: unknown): null => {
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'MAP_TILES_FILE cannot be drawn');
    return null;
  };
  let tiles: Promise<MapTiles | null> | undefined;
  return {
    async draw(driver, destination) {
      if (file === '') return null;
      tiles ??= openMapTiles(file).catch(unusable);
      const opened = await tiles;
      return opened && drawStreets(opened, driver, destination).catch(unusable);
    },
    async close() {
      await (await tiles)?.close();
    },
  };
}
