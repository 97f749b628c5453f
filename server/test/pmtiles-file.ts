import { gzipSync } from 'node:zlib';

/** An unsigned integer as the PMTiles directory writes it: seven bits per byte, the lowest first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const HEADER_BYTES = 127;
const GZIP = 2;
const TYPES = { vector: 1, picture: 2 };

/**
 * A small PMTiles file, version 3, with one PNG picture, or one vector tile, for every tile down to the highest zoom:
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function makePmtiles(
  picture: Buffer,
  attribution: string,
  { type = 'picture', highestZoom = 1 }: { type?: keyof typeof TYPES; highestZoom?: number } = {},
): Buffer {
  const tiles = (4 ** (highestZoom + 1) - 1) / 3; // ids from 0 on: zoom 0, then the four tiles of zoom 1, and so on
  // One entry for all: first id, how often it is repeated, length, and offset + 1.
  const directory = gzipSync(
    Buffer.from([...varint(1), ...varint(0), ...varint(tiles), ...varint(picture.length), ...varint(1)]),
  );
  const metadata = gzipSync(JSON.stringify({ name: 'test', attribution }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 0, 'latin1');
  header.writeUInt8(3, 7);
  const metadataAt = HEADER_BYTES + directory.length;
  const dataAt = metadataAt + metadata.length;
  const sections = [HEADER_BYTES, directory.length, metadataAt, metadata.length, dataAt, 0, dataAt, picture.length];
  for (const [i, value] of [...sections, tiles, 1, 1].entries()) header.writeBigUInt64LE(BigInt(value), 8 + i * 8);
  header.writeUInt8(1, 96); // clustered
  header.writeUInt8(GZIP, 97); // of directories and metadata
  header.writeUInt8(1, 98); // pictures are stored as they are
  header.writeUInt8(TYPES[type], 99);
  header.writeUInt8(0, 100); // lowest zoom
  header.writeUInt8(highestZoom, 101);
  for (const [i, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + i * 4);
  return Buffer.concat([header, directory, metadata, picture]);
}
