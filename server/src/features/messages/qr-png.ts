import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SCALE = 8; // pixels per module: sharp on a phone screen
const QUIET_ZONE = 4; // modules; required by the QR standard

/** A QR code as a PNG with one bit per pixel, about 500 bytes: e-mail programs do not show SVG. */
export function qrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE, scale: SCALE });
  const size = modules.length;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1; // bit per pixel, greyscale
  const rows = modules.map((row) => {
    const line = Buffer.alloc(1 + Math.ceil(size / 8)); // the first byte is the row's filter: none
    for (const [x, dark] of row.entries())
      if (!dark) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    return line;
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
