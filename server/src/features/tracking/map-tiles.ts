import { type FileHandle, open } from 'node:fs/promises';
import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles';

/** Coordinates of a line or outline, x and y in turn: 0 to 1 from the north-western to the south-eastern corner of the tile. */
export type Line = Float32Array;

export interface TileLines {
  water: Line[];
  major: Line[];
  minor: Line[];
}

/** The operator's map, as far as the recipient's page draws it. */
export interface MapTiles {
  highestZoom: number;
  /** Of the map's authors, as their licence asks for. */
  credit: string;
  read(zoom: number, x: number, y: number): Promise<TileLines>;
  close(): Promise<void>;
}

const KEPT_TILES = 48; // some 200 kB each in a city; a page needs six at most
const MOST_CREDIT = 60; // characters
const MAJOR = ['highway', 'major_road'];
const MINOR = ['medium_road', 'minor_road'];

/** Reads vector tiles with the layers of Protomaps. Null for a file of pictures, which an SVG of lines cannot use. */
export async function openMapTiles(file: string): Promise<MapTiles | null> {
  const handle = await open(file);
  try {
    const tiles = await readArchive(file, handle);
    if (!tiles) await handle.close();
    return tiles;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readArchive(file: string, handle: FileHandle): Promise<MapTiles | null> {
  const archive = new PMTiles(new FileSource(file, handle));
  const [header, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
  if (header.tileType !== TileType.Mvt) return null;
  const kept = new Map<string, Promise<TileLines>>();
  const readTile = async (zoom: number, x: number, y: number): Promise<TileLines> => {
    const tile = await archive.getZxy(zoom, x, y);
    return tile ? linesOf(new VectorTile(new PbfReader(tile.data))) : { water: [], major: [], minor: [] };
  };
  return {
    highestZoom: header.maxZoom,
    credit: creditOf(metadata),
    read(zoom, x, y) {
      const key = `${zoom}/${x}/${y}`;
      const lines = kept.get(key) ?? readTile(zoom, x, y);
      kept.delete(key);
      kept.set(key, lines); // the last one that was used
      lines.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_TILES) break;
        kept.delete(oldest);
      }
      return lines;
    },
    close: () => handle.close(),
  };
}

/** Keeps the file open: after a replacement, its readers see the old contents until the next start. */
class FileSource implements Source {
  readonly #name: string;
  readonly #file: FileHandle;
  constructor(name: string, file: FileHandle) {
    this.#name = name;
    this.#file = file;
  }
  getKey() {
    return this.#name;
  }
  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const { buffer, bytesRead } = await this.#file.read(new Uint8Array(length), 0, length, offset);
    return { data: buffer.buffer.slice(0, bytesRead) };
  }
}

function creditOf(metadata: unknown): string {
  const { attribution } = metadata as { attribution?: unknown };
  const text = typeof attribution === 'string' ? attribution.replaceAll(/<[^>]*>/g, '').trim() : '';
  return (text || '© OpenStreetMap').slice(0, MOST_CREDIT);
}

function linesOf({ layers }: VectorTile): TileLines {
  const roads = (kinds: string[]) => shapesOf(layers.roads, 2, ({ kind }) => kinds.includes(String(kind)));
  return { water: shapesOf(layers.water, 3, () => true), major: roads(MAJOR), minor: roads(MINOR) };
}

/** The lines (type 2) or outlines (type 3) of a layer. */
function shapesOf(
  layer: VectorTileLayer | undefined,
  type: 2 | 3,
  isDrawn: (properties: Record<string, unknown>) => boolean,
): Line[] {
  const shapes: Line[] = [];
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer?.feature(i);
    if (feature?.type !== type || !isDrawn(feature.properties)) continue;
    for (const points of feature.loadGeometry())
      shapes.push(Float32Array.from(points.flatMap(({ x, y }) => [x / feature.extent, y / feature.extent])));
  }
  return shapes;
}
