import { PbfWriter } from 'pbf';
import { makePmtiles } from './pmtiles-file.ts';

const EXTENT = 4_096;
const STREETS = 24; // in each direction and tile

type Point = [x: number, y: number];

const zigzag = (value: number) => (value << 1) ^ (value >> 31);

/** Commands of a line or, closed, of an outline. */
function geometryOf(points: Point[], isOutline: boolean): number[] {
  let [x, y] = [0, 0];
  const steps = points.map(([toX, toY]): number[] => {
    const step = [zigzag(toX - x), zigzag(toY - y)];
    [x, y] = [toX, toY];
    return step;
  });
  const [first = [], ...rest] = steps;
  return [9, ...first, (rest.length << 3) | 2, ...rest.flat(), ...(isOutline ? [15] : [])];
}

function writeLayer(
  writer: PbfWriter,
  name: string,
  features: { kind: string; points: Point[] }[],
  isOutline: boolean,
) {
  const kinds = [...new Set(features.map(({ kind }) => kind))];
  writer.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2);
      layer.writeStringField(1, name);
      for (const { kind, points } of features) {
        layer.writeMessage(
          2,
          (_feature, pbf) => {
            pbf.writePackedVarint(2, [0, kinds.indexOf(kind)]);
            pbf.writeVarintField(3, isOutline ? 3 : 2);
            pbf.writePackedVarint(4, geometryOf(points, isOutline));
          },
          null,
        );
      }
      layer.writeStringField(3, 'kind');
      for (const kind of kinds) layer.writeMessage(4, (_value, pbf) => pbf.writeStringField(1, kind), null);
      layer.writeVarintField(5, EXTENT);
    },
    null,
  );
}

/** A PMTiles file whose every tile has the same streets in a grid, every eighth a major one, and a pond. */
export function makeStreetTiles(attribution: string): Buffer {
  const writer = new PbfWriter();
  const roads = Array.from({ length: STREETS }, (_, i) => {
    const at = Math.round(((i + 0.5) * EXTENT) / STREETS);
    const kind = i % 8 === 0 ? 'major_road' : 'minor_road';
    const across: Point[] = [
      [0, at],
      [EXTENT / 2, at + 12],
      [EXTENT, at],
    ];
    return [
      { kind, points: across },
      { kind, points: across.map(([x, y]): Point => [y, x]) },
      { kind: 'path', points: across.map(([x, y]): Point => [x, y + 20]) },
    ];
  }).flat();
  writeLayer(writer, 'roads', roads, false);
  const pond: Point[] = [
    [1_000, 1_000],
    [2_200, 1_100],
    [2_000, 1_900],
  ];
  writeLayer(writer, 'water', [{ kind: 'lake', points: pond }], true);
  return makePmtiles(Buffer.from(writer.finish()), attribution, { type: 'vector', highestZoom: 14 });
}
