import { expect, test } from 'vitest';
import { changedSettings, fieldOfPath, type SettingsValues } from './settings-values.ts';

const BEFORE: SettingsValues = {
  name: 'Fleurs & Fils',
  email: 'zoe@example.org',
  clientType: 'shop',
  contractSigned: true,
  isSpecialRequest: false,
  agreedPickupTime: '',
  street: '1 rue de Rivoli',
  postalCode: '75001',
  city: 'Paris',
  timeSlots: ['14h-16h'],
  ...{ minute: 60, hour: 1_000, day: 10_000 },
  smsPerDay: '',
  retentionDays: 90,
};

test.each([
  ['settings.email', 'email'],
  ['settings.pickupAddress.city', 'city'],
  ['settings.pickupAddress', 'street'],
  ['settings.rateLimits.hour', 'hour'],
  ['settings.timeSlots[2]', 'timeSlots'],
  ['settings.timeSlots.2', 'timeSlots'],
  ['terms.creditLimit', 'creditLimit'],
  ['owner.email', 'ownerEmail'],
  ['name', 'name'],
])('an error at %s is shown at the field %s', (path, field) => {
  expect(fieldOfPath(path)).toBe(field);
});

test('a form that was not changed sends nothing', () => {
  expect(changedSettings(BEFORE, { ...BEFORE, timeSlots: ['14h-16h'] })).toEqual({});
});

test('only changed settings are sent, with the whole of a setting that has parts', () => {
  const after = { ...BEFORE, city: 'Lyon', minute: 30, smsPerDay: 40, retentionDays: '', clientType: ' ' };
  expect(changedSettings(BEFORE, after)).toEqual({
    clientType: null,
    pickupAddress: { street: '1 rue de Rivoli', postalCode: '75001', city: 'Lyon' },
    rateLimits: { minute: 30, hour: 1_000, day: 10_000 },
    smsPerDay: 40,
    retentionDays: null,
  });
});
