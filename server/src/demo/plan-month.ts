import type { ShipmentRequest } from '@navette/contract';
import { demoRequest } from './demo-requests.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PER_WEEKDAY = [0, 7, 6, 8, 7, 10, 4]; // Sunday first

/** The final or current state of a shipment. */
export type DemoFate = 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';

export interface PlannedShipment {
  number: number;
  /** Index of its account. */
  account: number;
  /** Index of the driver who carries it, where one does. */
  driver: number;
  request: ShipmentRequest;
  createdAt: Date;
  fate: DemoFate;
  /** Minutes from one step of the driver to the next. */
  stepMinutes: number;
}

/** Today's shipments: every state, some of them twice. */
const TODAY: DemoFate[] = [
  ...(['delivered', 'delivered', 'cancelled', 'programmed', 'in_transit', 'picked_up', 'assigned'] as const),
  ...(['created', 'programmed', 'in_transit', 'assigned', 'delivered', 'created', 'programmed'] as const),
];

/** A month of two merchants, oldest day first, then today. Pure: the same time gives the same month. */
export function planMonth(now: Date, accounts: number, drivers: number): PlannedShipment[][] {
  let number = 0;
  const plan = (createdAt: Date, fate: DemoFate): PlannedShipment => {
    const own = { ...demoRequest(number), ...(fate === 'programmed' ? inSomeDays(now, number) : {}) };
    const request = fate === 'created' ? farAway(own) : own;
    const isSlow = number % 9 === 4;
    const placed = { number, account: number % 3 === 2 ? 1 % accounts : 0, driver: number % drivers };
    number++;
    return { ...placed, request, createdAt, fate, stepMinutes: isSlow ? 90 : 14 };
  };
  const days = Array.from({ length: DAYS }, (_, i) => {
    const morning = startOfDay(now) - (DAYS - i) * DAY_MS + 8 * HOUR_MS;
    const many = PER_WEEKDAY[new Date(morning).getUTCDay()] ?? 0;
    return Array.from({ length: many }, (_, nth) =>
      plan(new Date(morning + nth * 55 * MINUTE_MS), (nth + i) % 11 === 5 ? 'cancelled' : 'delivered'),
    );
  });
  return [...days, TODAY.map((fate, nth) => plan(new Date(now.getTime() - (90 - nth * 4) * MINUTE_MS), fate))];
}

const startOfDay = (at: Date) => at.getTime() - (at.getTime() % DAY_MS);

function inSomeDays(now: Date, number: number): Partial<ShipmentRequest> {
  const day = new Date(now.getTime() + (2 + (number % 4)) * DAY_MS).toISOString().slice(0, 10);
  return { scheduledDate: day, timeSlot: '14h-16h' };
}

/** A collection in another town, where no driver is: it keeps searching, as the operator's lists show. */
function farAway(request: ShipmentRequest): ShipmentRequest {
  const coordinates = { latitude: 45.764, longitude: 4.8357 };
  return {
    ...request,
    isCollection: true,
    collectionContact: { name: 'Paul Rey', phoneNumber: '+33639989999', email: 'paul@recipients.example' },
    pickupAddress: { street: '2 place Bellecour', city: 'Lyon', postalCode: '69002', coordinates },
  };
}
