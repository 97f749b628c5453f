import type { MapDriver, MapStop, MovingDrivers } from '@navette/contract';

/** A driver on the map: the position of the socket, and name and runs when they are known. */
export interface DriverItem {
  id: string;
  name: string | null;
  runs: number | null;
  latitude: number;
  longitude: number;
  at: number;
  available: boolean;
  /** No position for half a minute, although phones send one every few seconds: a tunnel, or a phone that sleeps. */
  isStale: boolean;
}

export type Selected = { kind: 'driver'; id: string } | { kind: 'stop'; id: string } | null;

/** Of a stop: a shipment has two. */
export const stopId = ({ kind, shipment }: Pick<MapStop, 'kind' | 'shipment'>): string => `${kind}:${shipment.id}`;

const STALE_MS = 30_000;

/** Joins positions, which come every second, with names, which are read every ten. */
export function joinDrivers(moved: MovingDrivers | null, named: MapDriver[], now: number): DriverItem[] {
  const names = new Map(named.map((driver) => [driver.id, driver]));
  const positions = moved
    ? moved.drivers.map(([id, latitude, longitude, at, available]) => ({
        id,
        latitude,
        longitude,
        at,
        available: available === 1,
      }))
    : named.map(({ id, latitude, longitude, at, available }) => ({
        id,
        latitude,
        longitude,
        at: Date.parse(at),
        available,
      }));
  return positions
    .map((position) => ({
      ...position,
      name: names.get(position.id)?.name ?? null,
      runs: names.get(position.id)?.runs ?? null,
      isStale: now - position.at > STALE_MS,
    }))
    .toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? '') || (a.id < b.id ? -1 : 1));
}
