import { distanceKm } from '../../adapters/geocoder/distance-km.ts';
import type { Place } from './find-tracked-shipment.ts';
import { type Html, html } from './html.ts';

const [WIDTH, HEIGHT] = [320, 168];
const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 };
const FARTHEST_KM = 5; // beyond, the driver stands at the edge
const [NEAREST, EDGE] = [22, 70]; // pixels from the centre

/** 850 m, 2,4 km. */
export function sayDistance(km: number, decimalComma: boolean): string {
  if (km < 1) return `${Math.max(50, Math.round(km * 20) * 50)} m`;
  const text = km < 10 ? km.toFixed(1) : km.toFixed(0);
  return `${decimalComma ? text.replace('.', ',') : text} km`;
}

/**
 * Where the driver is as seen from the door: direction true, north up, distance shortened the farther it is. A sketch
 * and no map, so that nothing is loaded from anywhere and no map service hears who waits where.
 */
export function sketch(driver: Place, door: Place, label: string): Html {
  const km = distanceKm(door, driver);
  const east = (driver.longitude - door.longitude) * Math.cos((door.latitude * Math.PI) / 180);
  const north = driver.latitude - door.latitude;
  const length = Math.hypot(east, north) || 1;
  const radius = NEAREST + (EDGE - NEAREST) * Math.sqrt(Math.min(km / FARTHEST_KM, 1));
  const x = round(CENTRE.x + (east / length) * radius * 1.7); // the box is wider than high
  const y = round(CENTRE.y - (north / length) * radius);
  return html`<svg class="sketch" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<g class="rings"><ellipse cx="160" cy="84" rx="44" ry="26"/><ellipse cx="160" cy="84" rx="85" ry="50"/><ellipse cx="160" cy="84" rx="126" ry="74"/></g>
<path class="trail" d="M${x} ${y} L160 84"/>
<g class="door"><circle cx="160" cy="84" r="15"/><path d="M153 84.5 160 78l7 6.5V91h-4.500v-4h-5v4H153z"/></g>
<circle class="pulse" cx="${x}" cy="${y}" r="11"/><circle class="dot" cx="${x}" cy="${y}" r="8"/></svg>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
