import type { MapPoint } from '@navette/contract';

export const writePlaces = (places: MapPoint[]): string =>
  places.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('\n');

/** One place per line: latitude and longitude. Lines that are none are left out. */
export const parsePlaces = (text: string): MapPoint[] =>
  text.split('\n').flatMap((line) => {
    const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)[\s,;]+(-?\d+(?:\.\d+)?)\s*$/.exec(line) ?? [];
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    return Math.abs(place.latitude) <= 85 && Math.abs(place.longitude) <= 180 ? [place] : [];
  });
