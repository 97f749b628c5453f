import type { ArrivalWindow, ShipmentStatus } from '@navette/contract';
import { ACTIVE_RUN_STATUSES } from '../drivers/index.ts';
import type { Arrival } from './estimate-arrival.ts';

/** The part that people see. */
export const presentArrival = (arrival: Arrival | undefined): ArrivalWindow | null =>
  arrival ? { from: arrival.from.toISOString(), until: arrival.until.toISOString() } : null;

/** The drivers of those rows of a list that can have an estimate. */
export const driversUnderWay = (rows: readonly { driverId: string | null; status: ShipmentStatus }[]): string[] =>
  rows.flatMap(({ driverId, status }) =>
    driverId && ACTIVE_RUN_STATUSES.some((active) => active === status) ? [driverId] : [],
  );
