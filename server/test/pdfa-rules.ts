import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Dictionary = Record<string, unknown>;
export interface PdfObject {
  value?: unknown;
  stream?: { dict: Dictionary; data: string };
}

/** A file as qpdf reads it: each object by its reference, such as `12 0 R`, with decoded streams in Base64. */
export interface PdfObjects {
  bytes: Buffer;
  objects: Map<string, PdfObject>;
  trailer: Dictionary;
}

/** Fails when qpdf finds an error in the structure of the file. */
export async function readPdfObjects(bytes: Buffer): Promise<PdfObjects> {
  const folder = await mkdtemp(join(tmpdir(), 'navette-pdfa-'));
  try {
    const file = join(folder, 'in.pdf');
    await writeFile(file, bytes);
    await run('qpdf', ['--check', file]);
    const options = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized'];
    const { stdout } = await run('qpdf', [...options, file], { maxBuffer: 64 * 1024 * 1024 });
    const { qpdf } = JSON.parse(stdout) as { qpdf: [unknown, Record<string, PdfObject>] };
    const all = Object.entries(qpdf[1]);
    const objects = new Map(all.flatMap(([key, object]) => (key.startsWith('obj:') ? [[key.slice(4), object]] : [])));
    return { bytes, objects, trailer: qpdf[1].trailer?.value as Dictionary };
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Rule = (pdf: Reader) => boolean;

/** Resolves references. */
interface Reader extends PdfObjects {
  value: (of: unknown) => unknown;
  dictionary: (of: unknown) => Dictionary;
  list: (of: unknown) => unknown[];
  data: (of: unknown) => Buffer;
  dictionaries: Dictionary[];
  catalog: Dictionary;
  xmp: string;
}

/** Requirements of ISO 19005-3 at level B that can be read from the structure of a file. */
const RULES: Record<string, Rule> = {
  'the header is followed by a comment with four bytes above 127': ({ bytes }) =>
    /^%PDF-1\.[0-7]$/.test(bytes.subarray(0, 8).toString('latin1')) &&
    bytes[9] === 0x25 &&
    bytes.subarray(10, 14).every((byte) => byte > 127),
  'nothing follows the end mark': ({ bytes }) => /%%EOF\r?\n?$/.test(bytes.subarray(-8).toString('latin1')),
  'the trailer has an identifier and no encryption': ({ trailer, list }) =>
    list(trailer['/ID']).length === 2 && !('/Encrypt' in trailer),
  'the metadata are not compressed, and declare part 3 and conformance B': ({ catalog, dictionary, xmp }) =>
    !('/Filter' in dictionary(catalog['/Metadata'])) &&
    /<pdfaid:part>3<\/pdfaid:part>/.test(xmp) &&
    /<pdfaid:conformance>B<\/pdfaid:conformance>/.test(xmp),
  'title and producer of the metadata are those of the document': ({ trailer, dictionary, value, xmp }) => {
    const info = dictionary(trailer['/Info']);
    const isSame = (key: string) => xmp.includes(`>${escaped(textOf(value(info[key])))}<`);
    return isSame('/Title') && isSame('/Producer');
  },
  'properties of a schema of its own are described': ({ xmp }) =>
    !xmp.includes('<fx:') || /<pdfaSchema:prefix>fx<\/pdfaSchema:prefix>/.test(xmp),
  'an output intent has an ICC profile of three colours': ({ catalog, list, dictionary, data }) =>
    list(catalog['/OutputIntents']).some((each) => {
      const intent = dictionary(each);
      const profile = intent['/DestOutputProfile'];
      if (intent['/S'] !== '/GTS_PDFA1' || !profile) return false;
      return dictionary(profile)['/N'] === 3 && data(profile).subarray(36, 40).toString('latin1') === 'acsp';
    }),
  'every font is embedded': (pdf) => {
    const fonts = pdf.dictionaries.filter((each) => each['/Type'] === '/Font');
    return fonts.length > 0 && fonts.every((font) => isEmbedded(pdf, font));
  },
  'embedded files have a relationship, two names and a media type, and belong to the document': (pdf) => {
    const { catalog, list, dictionary, dictionaries } = pdf;
    const files = dictionaries.filter((each) => '/EF' in each);
    const associated = list(catalog['/AF']).map((each) => dictionary(each));
    const relations = ['/Alternative', '/Data', '/Source', '/Supplement', '/Unspecified'];
    return files.every(
      (file) =>
        relations.includes(String(file['/AFRelationship'])) &&
        '/F' in file &&
        '/UF' in file &&
        '/Subtype' in dictionary(dictionary(file['/EF'])['/F']) &&
        associated.includes(file),
    );
  },
  'no script, no action on opening and no form of XFA': ({ dictionaries }) =>
    dictionaries.every(
      (each) =>
        !['/JS', '/AA', '/OpenAction', '/XFA'].some((key) => key in each) &&
        !['/JavaScript', '/Launch', '/Movie', '/Sound'].includes(String(each['/S'])),
    ),
  'nothing is transparent': ({ dictionaries }) =>
    dictionaries.every(
      (each) => (each['/ca'] ?? 1) === 1 && (each['/CA'] ?? 1) === 1 && (each['/SMask'] ?? '/None') === '/None',
    ),
  'streams are inside the file, and not compressed with LZW': ({ objects, list }) =>
    [...objects.values()].every(({ stream }) => {
      if (!stream) return true;
      const filter = stream.dict['/Filter'];
      const filters = Array.isArray(filter) ? list(filter) : [filter];
      return !('/F' in stream.dict) && !filters.includes('/LZWDecode') && !filters.includes('/Crypt');
    }),
};

/** The rules that the file breaks. */
export function pdfaViolations(pdf: PdfObjects): string[] {
  const reader = read(pdf);
  return Object.entries(RULES).flatMap(([name, holds]) => (holds(reader) ? [] : name));
}

function read(pdf: PdfObjects): Reader {
  const find = (of: unknown): unknown => {
    const object = typeof of === 'string' ? pdf.objects.get(of) : undefined;
    return object ? (object.stream?.dict ?? object.value) : of;
  };
  const dictionary = (of: unknown) => (find(of) ?? {}) as Dictionary;
  const list = (of: unknown) => (find(of) ?? []) as unknown[];
  const data = (of: unknown) => Buffer.from(pdf.objects.get(String(of))?.stream?.data ?? '', 'base64');
  const catalog = dictionary(pdf.trailer['/Root']);
  const dictionaries = [...pdf.objects.values()].flatMap(({ value, stream }) => nested(stream?.dict ?? value));
  const xmp = data(catalog['/Metadata']).toString('utf8');
  return { ...pdf, value: find, dictionary, list, data, dictionaries, catalog, xmp };
}

function nested(value: unknown): Dictionary[] {
  if (Array.isArray(value)) return value.flatMap(nested);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Dictionary, ...Object.values(value).flatMap(nested)];
}

function isEmbedded({ dictionary, list }: Reader, font: Dictionary): boolean {
  if (font['/Subtype'] === '/Type3') return true; // its glyphs are drawings in the file
  if (font['/Subtype'] === '/Type0')
    return list(font['/DescendantFonts']).every((each) => '/FontDescriptor' in dictionary(each));
  const descriptor = dictionary(font['/FontDescriptor']);
  return ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => key in descriptor);
}

/** qpdf writes texts as `u:…`, and other strings as `b:…`. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.replace(/^[ub]:/, '') : '');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
