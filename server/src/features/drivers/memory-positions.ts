import { MAX_DRIVER_LATITUDE, type MapPoint } from '@navette/contract';
import { LRUCache } from 'lru-cache';
import { isInside } from '../../geography/area.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import { type DriverPositions, POSITION_TTL_SECONDS, type Position, type PositionedDriver } from './positions.ts';

const MOST_DRIVERS = 10_000;

interface Stored extends PositionedDriver {
  position: Position;
  isOnMap: boolean;
}

/** Positions in the memory of the only process. */
export function createMemoryPositions(): DriverPositions & { clear(): void } {
  const stored = new LRUCache<string, Stored>({ max: MOST_DRIVERS, ttl: POSITION_TTL_SECONDS * 1_000 });
  const byDistance = (place: MapPoint, drivers: Stored[]) =>
    drivers
      .map((driver) => ({ ...driver, km: distanceKm(place, driver.position) }))
      .sort((one, other) => one.km - other.km);

  return {
    async save(driver, position) {
      stored.set(driver.driverId, { ...driver, position, isOnMap: driver.available && !driver.isRobot });
    },
    async removeFromMap(driverId) {
      const driver = stored.peek(driverId);
      if (driver) driver.isOnMap = false;
    },
    find: async (driverId) => stored.get(driverId)?.position ?? null,
    async findAll(driverIds) {
      return new Map(
        driverIds.flatMap((driverId): [string, Position][] => {
          const position = stored.get(driverId)?.position;
          return position ? [[driverId, position]] : [];
        }),
      );
    },
    async nearest(place, radiusKm, most) {
      if (Math.abs(place.latitude) > MAX_DRIVER_LATITUDE) return { drivers: [], completeToMetres: Infinity };
      const onMap = [...stored.values()].filter(({ isOnMap }) => isOnMap);
      const found = byDistance(place, onMap)
        .filter(({ km }) => km <= radiusKm)
        .slice(0, most)
        .map(({ driverId, km }) => ({ driverId, metres: Math.round(km * 1000) }));
      return { drivers: found, completeToMetres: found.length < most ? Infinity : (found.at(-1)?.metres ?? 0) };
    },
    async seen(area, most) {
      const middle = { latitude: (area.south + area.north) / 2, longitude: (area.west + area.east) / 2 };
      const inside = [...stored.values()].filter(({ isRobot, position }) => !isRobot && isInside(area, position));
      const drivers = byDistance(middle, inside)
        .slice(0, most)
        .map(({ driverId, available, position }) => ({ driverId, available, ...position }));
      return { drivers, isComplete: inside.length < most };
    },
    clear: () => stored.clear(),
  };
}
