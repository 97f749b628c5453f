import { describe, expect, test } from 'vitest';
import { deliveryAddressFor } from './account-defaults.ts';
import { emptyForm } from './form-values.ts';

const account = {
  name: 'Atelier Zoé',
  email: 'zoe@example.org',
  pickupAddress: { location: null, street: '1 rue de Rivoli', postalCode: '75001', city: 'Paris', country: 'France' },
};
const { deliveryAddress: nothing } = emptyForm();

describe('the delivery address of a new shipment', () => {
  test('is the account’s own for a collection', () => {
    expect(deliveryAddressFor(true, nothing, account)).toEqual({
      ...{ recipientName: 'Atelier Zoé', email: 'zoe@example.org', phoneNumber: '' },
      ...{ street: '1 rue de Rivoli', postalCode: '75001', city: 'Paris' },
    });
  });

  test('stays empty for a delivery, and stays as typed for a collection', () => {
    const typed = { ...nothing, city: 'Lyon' };
    expect(deliveryAddressFor(false, nothing, account)).toEqual(nothing);
    expect(deliveryAddressFor(true, typed, account)).toEqual(typed);
  });
});
