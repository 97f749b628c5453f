import type { MapBox } from '@navette/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const REFRESH_MS = 10_000; // of names, runs and stops; positions come over the socket

export const mapSettingsQuery = queryOptions({
  queryKey: ['map', 'settings'],
  queryFn: () => call('readMapSettings'),
  staleTime: Number.POSITIVE_INFINITY, // the area with which the map opens must not move it later
});

export const zonesQuery = queryOptions({
  queryKey: ['map', 'zones'],
  queryFn: () => call('listZones'),
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});

const inArea = { refetchInterval: REFRESH_MS, staleTime: 0, placeholderData: keepPreviousData } as const;

export const stopsQuery = (area: MapBox | null) =>
  queryOptions({
    queryKey: ['map', 'stops', area],
    queryFn: () => call('listMapStops', { query: area as MapBox }),
    enabled: area !== null,
    ...inArea,
  });

export const driversQuery = (area: MapBox | null) =>
  queryOptions({
    queryKey: ['map', 'drivers', area],
    queryFn: () => call('listMapDrivers', { query: area as MapBox }),
    enabled: area !== null,
    ...inArea,
  });

export const townsQuery = (area: MapBox | null) =>
  queryOptions({
    queryKey: ['map', 'towns', area],
    queryFn: () => call('listMapTowns', { query: area as MapBox }),
    enabled: area !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
