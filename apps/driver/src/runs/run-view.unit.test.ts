import type { DriverShipment } from '@navette/contract';
import { describe, expect, test } from 'vitest';
import type { OutboxEntry } from '../outbox/entry.ts';
import { nextStepOf, viewRun } from './run-view.ts';
import { stopsOf } from './stops.ts';

const shipment: DriverShipment = {
  ...{ id: 'a', referenceNumber: '5N4MPK3S3M', status: 'assigned', isCollection: false, collectionContact: null },
  pickup: { street: '1 rue A', city: 'Paris', postalCode: '75004', country: 'France', coordinates: null },
  delivery: {
    ...{ street: '2 rue B', city: 'Paris', postalCode: '75011', country: 'France', coordinates: null },
    ...{ recipientName: 'Zoé', phoneNumber: '+33600000000' },
  },
  parcel: { weight: 2, nature: 'Fleurs' },
  notes: null,
  slot: { date: null, timeSlot: null, startsAt: null },
  ...{ assignedAt: null, pickedUpAt: null, departedAt: null, deliveredAt: null, cancelledAt: null, incident: null },
};
const waiting = (seq: number, name: OutboxEntry['name'], body = {}): OutboxEntry => ({
  ...{ seq, name, shipmentId: 'a', referenceNumber: null, body, commandId: `${seq}`, driverId: 'd' },
  ...{ doneAt: `2026-11-16T10:0${seq}:00.000Z`, state: 'waiting', attempts: 0, nextAttemptAt: 0, refusal: null },
});

describe('a run with waiting commands', () => {
  test('shows the last step that the driver did, with the time of doing it', () => {
    const { shipment: seen, waiting: count } = viewRun(shipment, [waiting(2, 'depart'), waiting(1, 'pickUp')]);
    expect(seen).toMatchObject({
      status: 'in_transit',
      pickedUpAt: '2026-11-16T10:01:00.000Z',
      departedAt: '2026-11-16T10:02:00.000Z',
    });
    expect(count).toHaveLength(2);
  });

  test('never goes back when the server is ahead, and stays cancelled', () => {
    expect(viewRun({ ...shipment, status: 'in_transit' }, [waiting(1, 'pickUp')]).shipment.status).toBe('in_transit');
    expect(viewRun({ ...shipment, status: 'cancelled' }, [waiting(1, 'pickUp')]).shipment.status).toBe('cancelled');
  });

  test('ignores refused commands and commands of other parcels', () => {
    const refused = { ...waiting(1, 'pickUp'), state: 'refused' as const };
    expect(viewRun(shipment, [refused, { ...waiting(2, 'pickUp'), shipmentId: 'b' }]).shipment).toEqual(shipment);
  });

  test('shows an incident at once, and a run that was given back', () => {
    const view = viewRun(shipment, [waiting(1, 'reportIncident', { kind: 'damaged', note: 'Coin' })]);
    expect(view.shipment.incident).toMatchObject({ kind: 'damaged', note: 'Coin', resolvedAt: null });
    expect(viewRun(shipment, [waiting(1, 'abandon')]).isGivenBack).toBe(true);
  });
});

test('the next step follows the status; a collection is picked up with its QR code', () => {
  expect(nextStepOf(shipment)).toEqual({ name: 'pickUp', needs: 'nothing' });
  expect(nextStepOf({ ...shipment, isCollection: true })).toEqual({ name: 'pickUp', needs: 'pickup-qr' });
  expect(nextStepOf({ ...shipment, status: 'picked_up' })).toEqual({ name: 'depart', needs: 'nothing' });
  expect(nextStepOf({ ...shipment, status: 'in_transit' })).toEqual({ name: 'deliver', needs: 'delivery-code' });
  expect(nextStepOf({ ...shipment, status: 'delivered' })).toBeNull();
});

test('a run has a pickup until it is picked up; the slot’s hours end the delivery’s window', () => {
  const startsAt = '2026-11-16T13:00:00.000Z';
  const slot = { date: '2026-11-16', timeSlot: '14h-16h30', startsAt };
  const stops = stopsOf({ ...shipment, slot });
  expect(stops.map(({ id }) => id)).toEqual(['pickup a', 'delivery a']);
  expect(stops[1]?.window).toEqual({ from: Date.parse(startsAt), until: Date.parse(startsAt) + 150 * 60_000 });
  expect(stopsOf({ ...shipment, status: 'in_transit' }).map(({ kind }) => kind)).toEqual(['delivery']);
  expect(stopsOf({ ...shipment, status: 'delivered' })).toEqual([]);
});
