import { distanceKm } from '../../geography/distance-km.ts';
import type { Coordinates } from './find-tracked-shipment.ts';
import { type Html, html } from './html.ts';
import type { StreetMap } from './street-map.ts';

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
 * Draws the driver relative to the destination: true direction, north up, distances compressed. For an installation
 * without a map of its own: nothing is loaded from a third party, and no map service learns recipients' addresses.
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
${markers({ x, y }, CENTRE)}</svg>`;
}

/** The same on the operator's map: true distances. */
export function streetDrawing(map: StreetMap, label: string): Html {
  const { driver, destination, water, minor, major, roadWidth, credit } = map;
  const onPage = ({ x, y }: { x: number; y: number }) => ({ x: round(x / 2), y: round(y / 2) });
  return html`<svg class="sketch streets" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<g transform="scale(.5)"><path class="water" d="${water}"/><path class="road" stroke-width="${roadWidth}" d="${minor}"/><path class="road" stroke-width="${2 * roadWidth}" d="${major}"/></g>
${markers(onPage(driver), onPage(destination))}<text class="credit" x="315" y="163">${credit}</text></svg>`;
}

const markers = (driver: { x: number; y: number }, { x, y }: { x: number; y: number }): Html =>
  html`<path class="trail" d="M${driver.x} ${driver.y} L${x} ${y}"/>
<g class="destination" transform="translate(${x} ${y})"><circle r="15"/><path d="M-7 .5 0-6l7 6.500V7H2.500V3h-5v4H-7z"/></g>
<circle class="pulse" cx="${driver.x}" cy="${driver.y}" r="11"/><circle class="dot" cx="${driver.x}" cy="${driver.y}" r="8"/>`;

const round = (value: number) => Math.round(value * 10) / 10;
