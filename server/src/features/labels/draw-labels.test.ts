import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { label } from '../../../test/label-samples.ts';
import { codesOfPages, faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { drawLabels } from './draw-labels.ts';
import type { Label } from './label.ts';
import { DESIGN } from './seal.ts';

async function draw(...labels: Label[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of drawLabels(labels)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const textOf = async (changes: Partial<Label>) => (await textOfPages(await draw(label(changes))))[0] as string;

describe('a label', () => {
  test('is a pure function of the shipment: the same bytes each time', async () => {
    expect((await draw(label())).equals(await draw(label()))).toBe(true);
  });

  test('with a changed design has a new design number, so that stored labels are drawn again', async () => {
    const samples = [
      label(),
      label({ isCancelled: true, isCollection: true, notes: null, orderId: null }),
      label({ service: { kind: 'slot', date: '2026-03-05', slot: '14h-16h' } }),
      label({ service: { kind: 'agreed' }, recipient: { ...label().recipient, country: 'Ελλάδα' } }),
    ];
    const digest = createHash('sha256')
      .update(await draw(...samples))
      .digest('hex')
      .slice(0, 16);
    // Changed the drawing on purpose? Raise DESIGN in seal.ts, then write both values here.
    expect({ design: DESIGN, digest }).toEqual({ design: 1, digest: '2ce88a2bbb757975' });
  });

  test('shows everything that a driver needs', async () => {
    const text = await textOf({});
    for (const part of [
      'EXPRESS',
      'Atelier Zoé',
      '1 rue de Rivoli',
      '75001 Paris',
      'Camille Durand-Lefèvre',
      '8 avenue de l’Opéra, bâtiment C',
      '+33612345678',
      '2,5 kg',
      'Vêtements',
      'Interphone 12B',
      '2041',
      '7K2M9QXAB4',
    ])
      expect(text).toContain(part);
  });

  test('shows the slot and its day, a collection, a foreign country, a cancellation', async () => {
    expect(await textOf({ service: { kind: 'slot', date: '2026-03-05', slot: '14h-16h' } })).toMatch(
      /14h-16h.*jeu\. 5 mars/,
    );
    expect(await textOf({ isCollection: true })).toMatch(/COLLECTE.*ENLÈVEMENT CHEZ/);
    expect(await textOf({ recipient: { ...label().recipient, country: 'Belgique' } })).toContain('Belgique');
    expect(await textOf({})).not.toMatch(/ANNULÉ|COLLECTE|France/);
    expect(await textOf({ isCancelled: true })).toContain('ANNULÉ');
  });

  test('keeps its codes readable when it is cancelled', async () => {
    expect(await codesOfPages(await draw(label({ isCancelled: true })))).toEqual([
      ['CODE-128:7K2M9QXAB4', 'QR-Code:7K2M9QXAB4'],
    ]);
  });

  test('never fails and is always one valid page, for any text', async () => {
    const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength });
    const place = { name: text(500), street: text(500), postalCode: text(20), city: text(500), country: text(100) };
    const anyLabel = fc.record({
      sender: fc.record(place),
      recipient: fc.record({ ...place, phoneNumber: text(50) }),
      nature: text(500),
      notes: fc.option(text(5_000)),
      orderId: fc.option(text(200)),
      service: fc.record({ kind: fc.constant('slot' as const), date: fc.constant('2026-03-05'), slot: text(100) }),
    });
    const labels = fc.sample(anyLabel, 300).map((changes) => label(changes));
    const pdf = await draw(...labels);
    expect(await faultsOfPdf(pdf)).toBe('');
    expect(await textOfPages(pdf)).toHaveLength(300);
  });
});
