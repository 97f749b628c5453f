import { describe, expect, test } from 'vitest';
import { type DriverToAssign, planAssignments, type ShipmentToAssign } from './plan-assignments.ts';

const NOW = new Date('2026-03-10T13:00:00Z');
const settings = { radiiKm: [2, 5, 10], runsPerDriver: 3, nearlyLateMinutes: 30, timeZone: 'Europe/Paris' };
const place = { latitude: 48.85, longitude: 2.36 };
const driver: DriverToAssign = { id: 'ana', available: true, isDisabled: false, runs: 0, position: place };
const parcel = (changes: Partial<ShipmentToAssign> = {}, state: Partial<ShipmentToAssign['shipment']> = {}) => ({
  shipment: { id: 's', reference: 'R', status: 'created' as const, version: '1.0', driver: null, ...state },
  pickup: place,
  refusedBefore: false,
  slotStartsAt: new Date('2026-03-10T14:00:00Z'),
  estimatedDeliveryAt: new Date('2026-03-10T16:00:00Z'),
  createdAt: new Date('2026-03-10T08:00:00Z'),
  ...changes,
});
const plan = (found: (ShipmentToAssign | undefined)[], changes: Partial<DriverToAssign> = {}, now = NOW) =>
  planAssignments(
    { ...driver, ...changes },
    found.map((one, i) => ({ shipmentId: String(i), found: one })),
    settings,
    now,
  );
const warnings = (found: ShipmentToAssign, changes: Partial<DriverToAssign> = {}, now = NOW) =>
  plan([found], changes, now)[0]?.warnings;

describe('each row', () => {
  test('is assigned or reassigned, without warnings for a free driver nearby', () => {
    const marc = { id: 'marc', name: 'Marc' };
    expect(plan([parcel(), parcel({}, { status: 'assigned', driver: marc })])).toMatchObject([
      { shipmentId: '0', will: 'assign', refusal: null, distanceKm: 0, warnings: [] },
      { shipmentId: '1', will: 'reassign', refusal: null, warnings: [] },
    ]);
  });

  test('is refused when the state does not allow it', () => {
    const ana = { id: 'ana', name: 'Ana' };
    const rows = [undefined, parcel({}, { status: 'picked_up' }), parcel({}, { status: 'assigned', driver: ana })];
    expect(plan(rows).map(({ will, refusal }) => [will, refusal])).toEqual([
      ['refuse', 'unknown'],
      ['refuse', 'status'],
      ['refuse', 'same_driver'],
    ]);
    expect(plan([parcel()], { isDisabled: true })[0]?.refusal).toBe('driver_disabled');
  });

  test('counts towards the limit of the driver; refused rows do not', () => {
    const rows = [parcel({}, { status: 'delivered' }), parcel(), parcel(), parcel()];
    expect(plan(rows, { runs: 1 }).map(({ refusal }) => refusal)).toEqual(['status', null, null, 'run_limit']);
  });
});

describe('warnings', () => {
  test('of the driver: far, refused before, without a position, offline', () => {
    expect(warnings(parcel(), { position: { ...place, latitude: 49 } })).toEqual(['far']);
    expect(warnings(parcel({ refusedBefore: true }))).toEqual(['refused_before']);
    expect(warnings(parcel(), { position: null })).toEqual(['position_unknown']);
    expect(warnings(parcel(), { available: false })).toEqual(['offline']);
  });

  test('of the parcel: its slot ends soon, it is late, its search has not started', () => {
    expect(warnings(parcel(), {}, new Date('2026-03-10T15:29:59Z'))).toEqual([]);
    expect(warnings(parcel(), {}, new Date('2026-03-10T15:30:00Z'))).toEqual(['nearly_late']);
    expect(warnings(parcel(), {}, new Date('2026-03-10T16:00:01Z'))).toEqual(['late']);
    expect(warnings(parcel({}, { status: 'programmed' }))).toEqual(['programmed']);
  });

  test('an express parcel is late on the next day, and never nearly late', () => {
    const express = parcel({ slotStartsAt: null, estimatedDeliveryAt: new Date('2026-03-10T08:00:00Z') });
    expect(warnings(express, {}, new Date('2026-03-10T22:59:00Z'))).toEqual([]);
    expect(warnings(express, {}, new Date('2026-03-10T23:00:00Z'))).toEqual(['late']);
  });
});
