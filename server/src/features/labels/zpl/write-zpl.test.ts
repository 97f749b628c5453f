import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { label } from '../../../../test/label-samples.ts';
import { readZpl, type ZplField, type ZplLabel } from '../../../../test/read-zpl.ts';
import { widthOf } from '../../../pdf/text-block.ts';
import type { Label } from '../label.ts';
import { code128 } from '../page/code-128.ts';
import { writeZpl } from './write-zpl.ts';

async function write(...labels: Label[]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeZpl(labels)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}
const read = async (...labels: Label[]): Promise<ZplLabel[]> => readZpl(await write(...labels));

const parametersOf = (field: ZplField, name: string): number[] | undefined =>
  field.commands
    .find(([command]) => command === name)?.[1]
    .split(',')
    .map(Number);
const dataOf = ({ fields }: ZplLabel, command: string) =>
  fields.filter(({ commands }) => commands.some(([name]) => name === command)).map(({ data }) => data);
const textOf = (one: ZplLabel | undefined) => (one ? dataOf(one, 'A0').join('\n') : '');

const QR_DROP = 10; // dots: some printers draw a QR code so much lower than its position

/** The area of the field, in dots. */
function sizeOf(field: ZplField): [width: number, height: number] {
  const { data } = field;
  const [width = 0, height = 0, thickness = 0] = parametersOf(field, 'GB') ?? parametersOf(field, 'GD') ?? [];
  const [, bars = 0] = parametersOf(field, 'BC') ?? [];
  const [, , qrModule = 0] = parametersOf(field, 'BQ') ?? [];
  const [, font = 0] = parametersOf(field, 'A0') ?? [];
  const [blockWidth] = parametersOf(field, 'FB') ?? [];
  if (data === null) return [Math.max(width, thickness), Math.max(height, thickness)];
  if (bars) {
    const modules = code128(data).reduce((sum, bar) => sum + bar, 0);
    return [modules * (parametersOf(field, 'BY')?.[0] as number), bars];
  }
  if (qrModule) return [21 * qrModule, 21 * qrModule + QR_DROP];
  return [blockWidth ?? (widthOf(data, 'regular') * font) / 1000, font];
}

const outsideOf = ({ fields }: ZplLabel): ZplField[] =>
  fields.filter((field) => {
    const [width, height] = sizeOf(field);
    return field.x < 0 || field.y < 0 || field.x + width > 800 || field.y + height > 1200;
  });

const VARIANTS = [
  label(),
  label({ isCancelled: true, isCollection: true, notes: null, orderId: null }),
  label({ service: { kind: 'slot', date: '2026-03-05', slot: '14h-16h' } }),
  label({ service: { kind: 'agreed' }, recipient: { ...label().recipient, country: 'Ελλάδα' } }),
];

describe('a label as ZPL', () => {
  test('has the size, the text and both codes of the PDF', async () => {
    const [one] = await read(label());
    expect(one?.settings).toEqual({ CI: '28', PW: '800', LL: '1200', LH: '0,0', PQ: '1' });
    expect(one && dataOf(one, 'BC')).toEqual(['7K2M9QXAB4']);
    expect(one && dataOf(one, 'BQ')).toEqual(['MA,7K2M9QXAB4']);
    for (const part of [
      'EXPRESS',
      'Atelier Zoé',
      '75001 Paris',
      'Camille Durand-Lefèvre',
      "8 avenue de l'Opéra, bâtiment C",
      '+33612345678',
      '2,5 kg',
      'Vêtements',
      'Interphone 12B',
      '2041',
    ])
      expect(textOf(one)).toContain(part);
  });

  test('marks a slot, a collection, a foreign country and a cancellation', async () => {
    const [, cancelled, slot, agreed] = await read(...VARIANTS);
    expect(textOf(cancelled)).toMatch(/COLLECTE.*ENLÈVEMENT CHEZ.*ANNULÉ/s);
    expect(textOf(slot)).toMatch(/14h-16h\njeu\. 5 mars/);
    expect(textOf(agreed)).toContain('Ellada'); // in letters that every printer has
  });

  test('is one file for many labels, in order', async () => {
    const references = ['AAAA222233', 'BBBB333344', 'CCCC444455'];
    const labels = await read(...references.map((referenceNumber) => label({ referenceNumber })));
    expect(labels.map((one) => dataOf(one, 'BC'))).toEqual(references.map((reference) => [reference]));
  });

  test('keeps every field inside the label', async () => {
    expect((await read(...VARIANTS)).flatMap(outsideOf)).toEqual([]);
  });

  test('prints commands in an address as text', async () => {
    const hostile = '^XZ^XA~JA^FS^FO0,0^GB800,1200,1200_5E_7E\\&\u0000\n^CC+';
    const attacked = label({
      sender: { ...label().sender, name: hostile, street: hostile },
      recipient: { ...label().recipient, name: hostile, city: hostile, phoneNumber: hostile },
      nature: hostile,
      notes: hostile,
      orderId: hostile,
      service: { kind: 'slot', date: '2026-03-05', slot: hostile },
    });
    const [one, ...others] = await read(attacked);
    expect(others).toEqual([]);
    expect(textOf(one).replace(/\s/g, '')).toContain('^XZ^XA~JA^FS^FO0,0^GB800,1200,1200_5E_7E/&^CC+');
    expect(one && dataOf(one, 'BC')).toEqual(['7K2M9QXAB4']);
  });

  test('is ASCII, balanced and inside its bounds, for any text', async () => {
    const text = (maxLength: number) =>
      fc.oneof(
        fc.string({ unit: 'binary', maxLength }),
        fc.string({ unit: fc.constantFrom('^', '~', '_', '\\', 'X', 'Z', 'A', '\n', 'é', 'م', '🎉'), maxLength }),
      );
    const place = { name: text(500), street: text(500), postalCode: text(20), city: text(500), country: text(100) };
    const anyLabel = fc.record({
      sender: fc.record(place),
      recipient: fc.record({ ...place, phoneNumber: text(50) }),
      nature: text(500),
      notes: fc.option(text(5_000)),
      orderId: fc.option(text(200)),
      isCancelled: fc.boolean(),
      isCollection: fc.boolean(),
    });
    const zpl = await write(...fc.sample(anyLabel, 300).map((changes) => label(changes)));
    expect(zpl).toMatch(/^[\x20-\x7e\n]*$/);
    const labels = readZpl(zpl);
    expect(labels).toHaveLength(300);
    expect(labels.flatMap(outsideOf)).toEqual([]);
    for (const one of labels) expect(dataOf(one, 'BC')).toEqual(['7K2M9QXAB4']);
  });
});
