import { distanceKm } from '../../geography/distance-km.ts';
import type { Coordinates } from './find-tracked-shipment.ts';
import { type Html, html } from './html.ts';

const [WIDTH, HEIGHT] = [320, 168];
const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 };
const FARTHEST_KM = 5; // beyond it, the driver is drawn at the edge
const [NEAREST, EDGE] = [22, 70]; // pixels from the centre

/** 850 m, 2,4 km. */
export function formatDistance(km: number, decimalComma: boolean): string {
  if (km < 1) return `${Math.max(50, Math.round(km * 20) * 50)} m`;
  const text = km < 10 ? km.toFixed(1) : km.toFixed(0);
  return `${decimalComma ? text.replace('.', ',') : text} km`;
}

/**
 * Draws the driver relative to the destination: true direction, north up, distances compressed. A sketch instead of a
 * map, so that nothing is loaded from a third party and no map service learns recipients' addresses.
 */
export function sketch(driver: Coordinates, destination: Coordinates, label: string): Html {
  const km = distanceKm(destination, driver);
  const east = (driver.longitude - destination.longitude) * Math.cos((destination.latitude * Math.PI) / 180);
  const north = driver.latitude - destination.latitude;
  const length = Math.hypot(east, north) || 1;
  const radius = NEAREST + (EDGE - NEAREST) * Math.sqrt(Math.min(km / FARTHEST_KM, 1));
  const x = round(CENTRE.x + (east / length) * radius * 1.7); // the drawing is wider than high
  const y = round(CENTRE.y - (north / length) * radius);
  return html`<svg class="sketch" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<g class="circles"><ellipse cx="160" cy="84" rx="44" ry="26"/><ellipse cx="160" cy="84" rx="85" ry="50"/><ellipse cx="160" cy="84" rx="126" ry="74"/></g>
<path class="trail" d="M${x} ${y} L160 84"/>
<g class="destination"><circle cx="160" cy="84" r="15"/><path d="M153 84.5 160 78l7 6.5V91h-4.500v-4h-5v4H153z"/></g>
<circle class="pulse" cx="${x}" cy="${y}" r="11"/><circle class="dot" cx="${x}" cy="${y}" r="8"/></svg>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
