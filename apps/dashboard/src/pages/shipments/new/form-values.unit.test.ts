import { describe, expect, test } from 'vitest';
import { emptyForm, missingContact, toQuoteRequest, toRequest } from './form-values.ts';

const weighing = (weight: string) => ({ ...emptyForm(), parcelDetails: { weight, nature: 'Livres' } });

describe('the request of the form', () => {
  test('a weight may have a decimal comma or point', () => {
    for (const typed of ['2,5', '2.5', ' 2.5 ']) expect(toRequest(weighing(typed)).parcelDetails.weight).toBe(2.5);
    expect(toQuoteRequest(weighing(',5'))).toEqual({ weight: 0.5 });
  });

  test('a text that is not a number is omitted, so that the server reports it as missing', () => {
    for (const typed of ['', 'lourd', '2,5 kg', '1 000', '1,000.5', '-2', '2,']) {
      expect(toRequest(weighing(typed)).parcelDetails).toEqual({ nature: 'Livres' });
      expect(toQuoteRequest(weighing(typed))).toBeNull();
    }
  });

  test('fields of an option that was not chosen are omitted', () => {
    const values = {
      ...weighing('1'),
      scheduledDate: '2026-11-20',
      timeSlot: '14h-16h',
      pickupAddress: { street: '1 rue A', postalCode: '75001', city: 'Paris' },
      collectionContact: { name: 'Léa', phoneNumber: '+33', email: 'lea@example.org' },
    };
    expect(Object.keys(toRequest(values))).toEqual(['deliveryAddress', 'parcelDetails', 'externalReference']);
    expect(toRequest({ ...values, express: false, isCollection: true })).toMatchObject({
      scheduledDate: '2026-11-20',
      isCollection: true,
      pickupAddress: values.pickupAddress,
      collectionContact: values.collectionContact,
    });
  });

  test('a collection requires a phone number and an e-mail address of its contact, a delivery does not', () => {
    const contact = { name: '', phoneNumber: ' ', email: 'lea@example.org' };
    const values = { ...emptyForm(), isCollection: true, collectionContact: contact };
    expect(missingContact(values)).toEqual(['collectionContact.phoneNumber']);
    expect(missingContact({ ...values, isCollection: false })).toEqual([]);
  });

  test('country, coordinates and metadata of an original are kept while its address stays the same', () => {
    const place = { street: '1 rue Neuve', postalCode: '1000', city: 'Bruxelles' };
    const coordinates = { latitude: 50.85, longitude: 4.35 };
    const metadata = { locale: 'en' };
    const deliveryAddress = { ...emptyForm().deliveryAddress, ...place };
    const kept = { deliveryAddress: { ...place, country: 'Belgique', coordinates }, metadata };
    const request = (changes: object) =>
      toRequest({ ...weighing('1'), kept, deliveryAddress: { ...deliveryAddress, ...changes } });
    expect(request({})).toMatchObject({ metadata, deliveryAddress: { country: 'Belgique', coordinates } });
    expect(request({ street: '2 rue Neuve' }).deliveryAddress).toEqual({
      ...place,
      street: '2 rue Neuve',
      country: 'Belgique',
    });
    expect(request({ postalCode: '75001', city: 'Paris' }).deliveryAddress).not.toHaveProperty('country');
  });

  test('a quote is requested once weight and time slot are complete', () => {
    expect(toQuoteRequest({ ...weighing('1'), express: false, scheduledDate: '2026-11-20' })).toBeNull();
    expect(toQuoteRequest(weighing('0'))).toBeNull();
  });
});
