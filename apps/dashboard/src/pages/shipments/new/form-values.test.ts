import { describe, expect, test } from 'vitest';
import { asQuoteRequest, asRequest, emptyForm, missingContact } from './form-values.ts';

const weighing = (weight: string) => ({ ...emptyForm(), parcelDetails: { weight, nature: 'Livres' } });

describe('what the form sends', () => {
  test('a weight reads the same with a comma and with a point', () => {
    for (const typed of ['2,5', '2.5', ' 2.5 ']) expect(asRequest(weighing(typed)).parcelDetails.weight).toBe(2.5);
    expect(asQuoteRequest(weighing(',5'))).toEqual({ weight: 0.5 });
  });

  test('what is no number is not guessed at: the server says that it is missing', () => {
    for (const typed of ['', 'lourd', '2,5 kg', '1 000', '1,000.5', '-2', '2,']) {
      expect(asRequest(weighing(typed)).parcelDetails).toEqual({ nature: 'Livres' });
      expect(asQuoteRequest(weighing(typed))).toBeNull();
    }
  });

  test('what belongs to a choice that was not made stays behind', () => {
    const values = {
      ...weighing('1'),
      scheduledDate: '2026-11-20',
      timeSlot: '14h-16h',
      pickupAddress: { street: '1 rue A', postalCode: '75001', city: 'Paris' },
      collectionContact: { name: 'Léa', phoneNumber: '+33', email: 'lea@example.org' },
    };
    expect(Object.keys(asRequest(values))).toEqual(['deliveryAddress', 'parcelDetails', 'externalReference']);
    expect(asRequest({ ...values, express: false, isCollection: true })).toMatchObject({
      scheduledDate: '2026-11-20',
      isCollection: true,
      pickupAddress: values.pickupAddress,
      collectionContact: values.collectionContact,
    });
  });

  test('a collection needs a telephone and an e-mail of its contact, a delivery none', () => {
    const contact = { name: '', phoneNumber: ' ', email: 'lea@example.org' };
    const values = { ...emptyForm(), isCollection: true, collectionContact: contact };
    expect(missingContact(values)).toEqual(['collectionContact.phoneNumber']);
    expect(missingContact({ ...values, isCollection: false })).toEqual([]);
  });

  test('a price is asked for once it depends on nothing that is still to be typed', () => {
    expect(asQuoteRequest({ ...weighing('1'), express: false, scheduledDate: '2026-11-20' })).toBeNull();
    expect(asQuoteRequest(weighing('0'))).toBeNull();
  });
});
