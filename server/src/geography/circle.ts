import type { MapPoint } from '@navette/contract';

const CORNERS = 48; // within 0.3% of the circle
/** Of latitude, and of longitude at the equator. */
export const METRES_PER_DEGREE = 111_320;

/** The polygon around a circle, on the ground rather than in degrees. */
export function circleCorners({ latitude, longitude }: MapPoint, radiusMetres: number): MapPoint[] {
  const widest = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (i / CORNERS) * 2 * Math.PI;
    return {
      latitude: round(latitude + (radiusMetres / METRES_PER_DEGREE) * Math.sin(angle)),
      longitude: round(longitude + (radiusMetres / widest) * Math.cos(angle)),
    };
  });
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
