import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readImage } from './image-file.ts';

const segment = (marker: number, content: string) => {
  const bytes = Buffer.from(content, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
};
const SCAN = Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
const jpeg = (...segments: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, SCAN]);
const chunk = (name: string, content: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name + content, 'latin1'), Buffer.alloc(4)]);
};
const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
const webpChunk = (name: string, content: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), length, Buffer.from(content, 'latin1'), Buffer.alloc(content.length % 2)]);
};
const webp = (...chunks: Buffer[]) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(Buffer.concat(chunks).length + 4);
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), ...chunks]);
};

describe('an image', () => {
  test('keeps its picture and loses every kind of metadata', () => {
    const tables = segment(0xdb, 'quantisation');
    const photo = jpeg(segment(0xe0, 'JFIF'), segment(0xe1, 'Exif GPS 48.85'), tables, segment(0xfe, 'by Ana'));
    expect(readImage(photo)).toEqual({
      contentType: 'image/jpeg',
      bytes: jpeg(segment(0xe0, 'JFIF'), tables),
    });
    const signature = Buffer.concat([
      PNG_START,
      chunk('IHDR', '1234'),
      chunk('tEXt', 'Author Ana'),
      chunk('eXIf', 'GPS'),
      chunk('IDAT', 'pixels'),
      chunk('IEND', ''),
      Buffer.from('appended'),
    ]);
    expect(readImage(signature)?.bytes).toEqual(
      Buffer.concat([PNG_START, chunk('IHDR', '1234'), chunk('IDAT', 'pixels'), chunk('IEND', '')]),
    );
    const small = webp(webpChunk('VP8X', '\x2c345'), webpChunk('VP8 ', 'pixel'), webpChunk('EXIF', 'GPS'));
    expect(readImage(small)).toEqual({
      contentType: 'image/webp',
      bytes: webp(webpChunk('VP8X', '\x00345'), webpChunk('VP8 ', 'pixel')),
    });
  });

  test('that is followed by a second one loses it: phones append previews with their own metadata', () => {
    const preview = jpeg(segment(0xe1, 'Exif GPS 48.85'));
    expect(readImage(Buffer.concat([jpeg(), preview]))?.bytes.includes('GPS')).toBe(false);
  });

  test('is judged by its content: a page, a PDF, a vector image and a cut file are none', () => {
    for (const text of ['<html><script>', '%PDF-1.7', '<svg onload="x">', 'GIF89a', ''])
      expect(readImage(Buffer.from(text))).toBe(null);
    const whole = Buffer.concat([PNG_START, chunk('IHDR', '1234'), chunk('IDAT', 'pixels'), chunk('IEND', '')]);
    for (let length = 0; length < whole.length; length++) expect(readImage(whole.subarray(0, length))).toBe(null);
  });

  test('never fails on random bytes after a valid start', () => {
    const starts = [Buffer.from([0xff, 0xd8, 0xff]), PNG_START, Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const given = Buffer.concat([start, rest]);
        expect(readImage(given)?.bytes.length ?? 0).toBeLessThanOrEqual(given.length);
      }),
    );
  });
});
