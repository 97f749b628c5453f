import type { Coordinates } from './find-tracked-shipment.ts';
import type { Line, MapTiles, TileLines } from './map-tiles.ts';

/** Streets around driver and destination, as paths on a grid of 640 × 336. */
export interface StreetMap {
  driver: GridPoint;
  destination: GridPoint;
  water: string;
  minor: string;
  major: string;
  /** Of minor roads; major ones are twice as wide. */
  roadWidth: number;
  credit: string;
}

interface GridPoint {
  x: number;
  y: number;
}

const [WIDTH, HEIGHT] = [640, 336];
const [FREE_WIDTH, FREE_HEIGHT] = [460, 196]; // driver and destination stay off the edges
const OUTSIDE = 10; // a line is drawn so far beyond the edge, so that its end is not visible
const CLOSE = 3; // points that are closer to each other are one
const [NEAREST_ZOOM, FARTHEST_ZOOM] = [16, 10]; // beyond the farthest, some ten kilometres, tiles have no streets
const BYTES = { water: 2_500, major: 4_000, minor: 7_000 }; // the page stays under 40 kB

/** Null when the driver is too far away for streets. At most six tiles, which pages share. */
export async function drawStreets(
  tiles: MapTiles,
  driver: Coordinates,
  destination: Coordinates,
): Promise<StreetMap | null> {
  const [from, to] = [onWorld(driver), onWorld(destination)];
  const fitting = Math.min(FREE_WIDTH / Math.abs(from.x - to.x), FREE_HEIGHT / Math.abs(from.y - to.y));
  const zoom = Math.min(Math.log2(fitting / WIDTH_OF_TILE), NEAREST_ZOOM);
  if (zoom < FARTHEST_ZOOM) return null;
  const world = WIDTH_OF_TILE * 2 ** zoom;
  const corner = {
    x: (from.x + to.x) / 2 - WIDTH / 2 / world,
    y: (from.y + to.y) / 2 - HEIGHT / 2 / world,
  };
  const place = ({ x, y }: GridPoint) => ({ x: (x - corner.x) * world, y: (y - corner.y) * world });
  const end = place(to);
  const tileZoom = Math.min(Math.floor(zoom), tiles.highestZoom);
  const shapes = await readShapes(tiles, tileZoom, corner, world, place);
  const nearFirst = (lines: Line[]) => lines.toSorted((a, b) => distanceTo(end, a) - distanceTo(end, b));
  return {
    driver: place(from),
    destination: end,
    water: joinWithin(BYTES.water, shapes.water.map(outlinePath)),
    major: joinWithin(BYTES.major, nearFirst(shapes.major).map(linePath)),
    minor: joinWithin(BYTES.minor, nearFirst(shapes.minor).map(linePath)),
    roadWidth: Math.round(Math.min(6, Math.max(1.6, 2.4 * 2 ** (zoom - 14))) * 10) / 10,
    credit: tiles.credit,
  };
}

const WIDTH_OF_TILE = 512; // of the grid: 256 pixels on the page

/** Web Mercator: 0 to 1 from west to east and from north to south. */
function onWorld({ latitude, longitude }: Coordinates): GridPoint {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** The lines of all tiles that the drawing touches, on its grid. */
async function readShapes(
  tiles: MapTiles,
  zoom: number,
  corner: GridPoint,
  world: number,
  place: (point: GridPoint) => GridPoint,
): Promise<TileLines> {
  const many = 2 ** zoom;
  const columns = range(corner.x * many, (corner.x + WIDTH / world) * many);
  const rows = range(corner.y * many, (corner.y + HEIGHT / world) * many);
  const found = await Promise.all(
    columns.flatMap((x) =>
      rows.map(async (y) => {
        const lines = await tiles.read(zoom, x, y);
        const onGrid = (line: Line): Line =>
          line.map((value, i) => {
            const isX = i % 2 === 0;
            const point = place({ x: (x + (isX ? value : 0)) / many, y: (y + (isX ? 0 : value)) / many });
            return isX ? point.x : point.y;
          });
        return {
          water: lines.water.map(onGrid),
          major: lines.major.map(onGrid),
          minor: lines.minor.map(onGrid),
        };
      }),
    ),
  );
  return {
    water: found.flatMap(({ water }) => water),
    major: found.flatMap(({ major }) => major),
    minor: found.flatMap(({ minor }) => minor),
  };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.floor(to) - Math.floor(from) + 1 }, (_, i) => Math.floor(from) + i);

const distanceTo = ({ x, y }: GridPoint, line: Line): number => {
  const middle = Math.floor(line.length / 4) * 2;
  return Math.hypot((line[middle] ?? 0) - x, (line[middle + 1] ?? 0) - y);
};

function joinWithin(bytes: number, paths: string[]): string {
  let joined = '';
  for (const path of paths) if (joined.length + path.length <= bytes) joined += path;
  return joined;
}

/** The parts of a line inside the drawing, in whole units relative to the point before. */
function linePath(line: Line): string {
  let path = '';
  let last: GridPoint | null = null;
  for (let i = 2; i < line.length; i += 2) {
    const [from, to] = [pointAt(line, i - 2), pointAt(line, i)];
    if (!touches(from, to)) {
      last = null;
      continue;
    }
    if (last === null) {
      path += `M${from.x} ${from.y}`;
      last = from;
    }
    const isEnd = i + 2 >= line.length;
    if (Math.hypot(to.x - last.x, to.y - last.y) < CLOSE && !isEnd) continue;
    path += `l${to.x - last.x} ${to.y - last.y}`;
    last = to;
  }
  return path;
}

const pointAt = (line: Line, i: number): GridPoint => ({
  x: Math.round(line[i] ?? 0),
  y: Math.round(line[i + 1] ?? 0),
});

/** The rectangle around both touches the drawing. */
const touches = (a: GridPoint, b: GridPoint): boolean =>
  Math.max(a.x, b.x) >= -OUTSIDE &&
  Math.min(a.x, b.x) <= WIDTH + OUTSIDE &&
  Math.max(a.y, b.y) >= -OUTSIDE &&
  Math.min(a.y, b.y) <= HEIGHT + OUTSIDE;

/** An outline, cut at the edges of the drawing. */
function outlinePath(outline: Line): string {
  let points = Array.from({ length: outline.length / 2 }, (_, i) => pointAt(outline, i * 2));
  for (const [axis, limit, keepsLess] of EDGES) points = cut(points, axis, limit, keepsLess);
  const [first, ...rest] = points;
  if (!first || rest.length < 2) return '';
  let path = `M${first.x} ${first.y}`;
  let last = first;
  for (const point of rest) {
    if (Math.hypot(point.x - last.x, point.y - last.y) < CLOSE) continue;
    path += `l${point.x - last.x} ${point.y - last.y}`;
    last = point;
  }
  return `${path}z`;
}

const EDGES: ['x' | 'y', number, boolean][] = [
  ['x', -OUTSIDE, false],
  ['x', WIDTH + OUTSIDE, true],
  ['y', -OUTSIDE, false],
  ['y', HEIGHT + OUTSIDE, true],
];

/** The algorithm of Sutherland and Hodgman, for one edge. */
function cut(points: GridPoint[], axis: 'x' | 'y', limit: number, keepsLess: boolean): GridPoint[] {
  const isInside = (point: GridPoint) => (keepsLess ? point[axis] <= limit : point[axis] >= limit);
  return points.flatMap((point, i) => {
    const before = points.at(i - 1) as GridPoint;
    const crossing = isInside(point) === isInside(before) ? [] : [between(before, point, axis, limit)];
    return isInside(point) ? [...crossing, point] : crossing;
  });
}

function between(a: GridPoint, b: GridPoint, axis: 'x' | 'y', limit: number): GridPoint {
  const share = (limit - a[axis]) / (b[axis] - a[axis]);
  return { x: Math.round(a.x + (b.x - a.x) * share), y: Math.round(a.y + (b.y - a.y) * share) };
}
