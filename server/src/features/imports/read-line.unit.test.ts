import { describe, expect, test } from 'vitest';
import { matchColumns, missingFields } from './import-columns.ts';
import { type LineValues, toRequest } from './read-line.ts';

describe('a header', () => {
  test.each([
    ['N° Commande', 'externalReference.orderId'],
    ['Numéro de commande', 'externalReference.orderId'],
    ['Order ID', 'externalReference.orderId'],
    ['CODE_POSTAL', 'deliveryAddress.postalCode'],
    ['Zip', 'deliveryAddress.postalCode'],
    ['E-mail', 'deliveryAddress.email'],
    ['Poids (kg)', 'parcelDetails.weight'],
    ['deliveryAddress.street', 'deliveryAddress.street'],
    ['Statut', null],
  ])('%j matches %j', (header, field) => {
    expect(matchColumns([header])).toEqual([{ header, field }]);
  });

  test('of two columns for the same field the first is used', () => {
    const fields = matchColumns(['Ville', 'City']).map(({ field }) => field);
    expect(fields).toEqual(['deliveryAddress.city', null]);
  });

  test('required fields without a column are listed', () => {
    expect(missingFields(matchColumns(['Nom', 'Adresse', 'CP', 'Ville', 'Tel', 'Mail', 'Poids']))).toEqual([
      'parcelDetails.nature',
    ]);
  });
});

describe('a line', () => {
  const read = (values: LineValues) => toRequest(values) as Record<string, Record<string, unknown>>;

  test.each([
    ['2,5', 2.5],
    ['2.5 kg', 2.5],
    ['1 200', 1200],
    ['2,5,1', '2,5,1'],
    ['-1', '-1'],
    ['lourd', 'lourd'],
  ])('weighs %j as %j', (text, weight) => {
    expect(read({ 'parcelDetails.weight': text }).parcelDetails).toEqual({ weight });
  });

  test.each([
    ['20/05/2030', '2030-05-20'],
    ['1.2.2031', '2031-02-01'],
    ['2030-05-20', '2030-05-20'],
    ['demain', 'demain'],
  ])('takes the date %j as %j', (text, date) => {
    expect(read({ scheduledDate: text }).scheduledDate).toBe(date);
  });

  test('a leading zero that a spreadsheet dropped is restored, in France only', () => {
    const lost = { 'deliveryAddress.postalCode': '1000', 'deliveryAddress.phoneNumber': '612345678' };
    expect(read(lost).deliveryAddress).toEqual({ postalCode: '01000', phoneNumber: '0612345678' });
    expect(read({ ...lost, 'deliveryAddress.country': 'Belgique' }).deliveryAddress).toMatchObject({
      postalCode: '1000',
    });
  });

  test.each([
    ['Collecte', true],
    ['livraison', false],
    ['peut-être', 'peut-être'],
  ])('of the kind %j is a collection: %j', (text, isCollection) => {
    expect(read({ kind: text }).isCollection).toBe(isCollection);
  });
});
