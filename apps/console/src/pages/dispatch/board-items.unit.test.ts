import type { BoardShipment } from '@navette/contract';
import { expect, test } from 'vitest';
import { boardItems } from './board-items.ts';

const parcel = (id: string, slotStartsAt: string | null, timeSlot: string | null, driver: string | null = null) =>
  ({ id, slotStartsAt, timeSlot, driver: driver && { id: driver, name: driver } }) as BoardShipment;
const TEN = '2026-03-10T09:00:00.000Z';
const NOON = '2026-03-10T11:00:00.000Z';

test('a title stands above the shipments of each slot, with their number and those without a driver', () => {
  const rows = [parcel('a', TEN, '10h-12h'), parcel('b', TEN, '10h-12h', 'ana'), parcel('c', NOON, '12h-14h')];
  expect(boardItems(rows, true)).toMatchObject([
    { kind: 'slot', startsAt: TEN, timeSlot: '10h-12h', count: 2, waiting: 1 },
    { kind: 'shipment', key: 'a', index: 0 },
    { kind: 'shipment', key: 'b', index: 1 },
    { kind: 'slot', startsAt: NOON, count: 1, waiting: 1 },
    { kind: 'shipment', key: 'c', index: 2 },
  ]);
});

test('slots of different accounts that start together share a title, which names both', () => {
  const rows = [parcel('a', TEN, '10h-12h'), parcel('b', TEN, '10h-11h'), parcel('c', TEN, '10h-12h')];
  expect(boardItems(rows, true)[0]).toMatchObject({ timeSlot: '10h-12h, 10h-11h', count: 3 });
});

test('the list by urgency has no titles', () => {
  expect(boardItems([parcel('a', TEN, '10h-12h'), parcel('b', null, null)], false).map(({ kind }) => kind)).toEqual([
    'shipment',
    'shipment',
  ]);
});
