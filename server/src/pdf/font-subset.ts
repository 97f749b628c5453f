/**
 * The glyphs that a document uses, as a TrueType font. fontkit can create subsets too, but decodes and encodes every
 * table field by field, which took half of the time of a label; here glyphs are copied unchanged.
 */
export interface FontSubset {
  /** Returns the number of the glyph in the subset. */
  includeGlyph(glyph: number): number;
  encode(): Uint8Array;
}

interface Table {
  tag: string;
  data: Buffer;
}

const COPIED = ['cvt ', 'fpgm', 'prep']; // hinting, which small type needs on low-resolution printers
const COMPOSITE = {
  argumentsAreWords: 0x0001,
  hasScale: 0x0008,
  more: 0x0020,
  hasTwoScales: 0x0040,
  hasMatrix: 0x0080,
};

/** Returns a factory of subsets of one font file. */
export function readTrueType(file: Buffer): () => FontSubset {
  const tables = readTables(file);
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0);
  const [head, hhea, maxp, loca, glyf, hmtx] = ['head', 'hhea', 'maxp', 'loca', 'glyf', 'hmtx'].map(table) as Buffer[];
  if (!head || !hhea || !maxp || !loca || !glyf || !hmtx) throw new Error('not a TrueType font');
  const hasLongOffsets = head.readInt16BE(50) === 1;
  const metrics = hhea.readUInt16BE(34);

  const offsetOf = (glyph: number) =>
    hasLongOffsets ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2;
  const outlineOf = (glyph: number) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
  /** The last advance width applies to all glyphs after it. */
  const metricOf = (glyph: number) => {
    if (glyph < metrics) return hmtx.subarray(glyph * 4, glyph * 4 + 4);
    const bearing = metrics * 4 + (glyph - metrics) * 2;
    return Buffer.concat([hmtx.subarray(metrics * 4 - 4, metrics * 4 - 2), hmtx.subarray(bearing, bearing + 2)]);
  };

  return () => {
    const glyphs = [0];
    const numbers = new Map([[0, 0]]);
    const includeGlyph = (glyph: number) => {
      const known = numbers.get(glyph);
      if (known !== undefined) return known;
      glyphs.push(glyph);
      numbers.set(glyph, glyphs.length - 1);
      return glyphs.length - 1;
    };
    return {
      includeGlyph,
      encode() {
        const outlines: Buffer[] = [];
        // Accented letters refer to their parts, which are appended to the list during this iteration.
        for (const glyph of glyphs) outlines.push(withParts(outlineOf(glyph), includeGlyph));
        const offsets = Buffer.alloc((outlines.length + 1) * 4);
        let end = 0;
        for (const [i, outline] of outlines.entries()) {
          end += outline.length;
          offsets.writeUInt32BE(end, (i + 1) * 4);
        }
        return writeTables([
          { tag: 'head', data: patched(head, (copy) => copy.writeInt16BE(1, 50)) },
          { tag: 'hhea', data: patched(hhea, (copy) => copy.writeUInt16BE(glyphs.length, 34)) },
          { tag: 'maxp', data: patched(maxp, (copy) => copy.writeUInt16BE(glyphs.length, 4)) },
          ...COPIED.filter((tag) => tables.has(tag)).map((tag) => ({ tag, data: table(tag) })),
          { tag: 'hmtx', data: Buffer.concat(glyphs.map(metricOf)) },
          { tag: 'loca', data: offsets },
          { tag: 'glyf', data: Buffer.concat(outlines) },
        ]);
      },
    };
  };
}

/** Renumbers the parts of a composite glyph; copies any other glyph. Padded to multiples of four bytes. */
function withParts(outline: Buffer, includeGlyph: (glyph: number) => number): Buffer {
  const padded = Buffer.alloc(Math.ceil(outline.length / 4) * 4);
  outline.copy(padded);
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return padded;
  let at = 10;
  for (let flags = COMPOSITE.more; flags & COMPOSITE.more; ) {
    flags = padded.readUInt16BE(at);
    padded.writeUInt16BE(includeGlyph(padded.readUInt16BE(at + 2)), at + 2);
    at += 4 + (flags & COMPOSITE.argumentsAreWords ? 4 : 2);
    if (flags & COMPOSITE.hasScale) at += 2;
    else if (flags & COMPOSITE.hasTwoScales) at += 4;
    else if (flags & COMPOSITE.hasMatrix) at += 8;
  }
  return padded;
}

function patched(table: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  patch(copy);
  return copy;
}

function readTables(file: Buffer): Map<string, Buffer> {
  return new Map(
    Array.from({ length: file.readUInt16BE(4) }, (_, i) => {
      const entry = 12 + i * 16;
      const offset = file.readUInt32BE(entry + 8);
      return [file.toString('latin1', entry, entry + 4), file.subarray(offset, offset + file.readUInt32BE(entry + 12))];
    }),
  );
}

function writeTables(tables: Table[]): Uint8Array {
  const sorted = tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
  const header = Buffer.alloc(12 + sorted.length * 16);
  const log = Math.floor(Math.log2(sorted.length));
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(sorted.length, 4);
  header.writeUInt16BE(2 ** log * 16, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE(sorted.length * 16 - 2 ** log * 16, 10);
  const parts: Buffer[] = [header];
  let offset = header.length;
  for (const [i, { tag, data }] of sorted.entries()) {
    const padded = data.length % 4 === 0 ? data : Buffer.concat([data, Buffer.alloc(4 - (data.length % 4))]);
    const entry = 12 + i * 16;
    header.write(tag, entry, 'latin1');
    header.writeUInt32BE(checksum(padded), entry + 4);
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(data.length, entry + 12);
    parts.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(parts);
}

function checksum(words: Buffer): number {
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0;
  return sum;
}
