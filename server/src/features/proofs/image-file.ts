/** An image that may be stored: known by its first bytes, not by its name, and without metadata. */
export interface ImageFile {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  bytes: Buffer;
}

/**
 * Recognises JPEG, PNG and WebP, and removes metadata: EXIF contains the place, the time and the phone. Null for everything
 * else, and for a file whose structure is broken.
 */
export function readImage(bytes: Buffer): ImageFile | null {
  try {
    if (bytes.subarray(0, 3).equals(JPEG_START)) return image('image/jpeg', stripJpeg(bytes));
    if (bytes.subarray(0, 8).equals(PNG_START)) return image('image/png', stripPng(bytes));
    if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') {
      return image('image/webp', stripWebp(bytes));
    }
  } catch (error) {
    if (!(error instanceof BrokenImage || error instanceof RangeError)) throw error; // RangeError: a read past the end
  }
  return null;
}

class BrokenImage extends Error {}
const image = (contentType: ImageFile['contentType'], bytes: Buffer): ImageFile => ({ contentType, bytes });

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
const KEPT_APPLICATION_SEGMENTS = [0xe0, 0xee]; // JFIF, and Adobe's colour transform

/** Keeps everything from the start of the image data on, and before it the segments that a decoder needs. */
function stripJpeg(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, 2)];
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw new BrokenImage();
    const marker = bytes.readUInt8(at + 1);
    if (marker === START_OF_SCAN) return Buffer.concat([...kept, withoutTrailer(bytes.subarray(at))]);
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) throw new BrokenImage();
    const isMetadata = marker === COMMENT || (marker >= 0xe0 && marker <= 0xef);
    if (!isMetadata || KEPT_APPLICATION_SEGMENTS.includes(marker)) kept.push(bytes.subarray(at, end));
    at = end;
  }
}

/** Some phones append a second image, with its own metadata, after the end of the first. */
function withoutTrailer(scan: Buffer): Buffer {
  const end = scan.indexOf(Buffer.from([0xff, 0xd9]));
  if (end < 0) throw new BrokenImage();
  const next = scan.indexOf(Buffer.from([0xff, 0xda]), 2);
  if (next > 0 && next < end) return scan.subarray(0, scan.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2); // progressive
  return scan.subarray(0, end + 2);
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_CHUNKS = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'sRGB', 'cHRM', 'pHYs', 'bKGD', 'sBIT'];

function stripPng(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, PNG_START.length)];
  for (let at = PNG_START.length; ; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length; // length, name and checksum are four bytes each
    if (end > bytes.length) throw new BrokenImage();
    if (PNG_CHUNKS.includes(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return Buffer.concat(kept);
    at = end;
  }
}

const WEBP_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'];
const EXTENDED_HEADER = 'VP8X';
const METADATA_FLAGS = 0x2c; // ICC profile, EXIF, XMP: their chunks are removed

function stripWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2); // chunks are padded to an even length
    if (end > bytes.length + 1) throw new BrokenImage();
    if (WEBP_CHUNKS.includes(name)) {
      const chunk = Buffer.from(bytes.subarray(at, end));
      if (name === EXTENDED_HEADER) chunk.writeUInt8(chunk.readUInt8(8) & ~METADATA_FLAGS, 8);
      kept.push(chunk);
    }
    at = end;
  }
  if (kept.length === 0) throw new BrokenImage();
  const content = Buffer.concat(kept);
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([header, content]);
}
