import { keepOrder, type Stop, suggestOrder } from '@navette/contract/driver-stop-order';
import { useMemo } from 'react';
import { currentSkew } from '../api/call.ts';
import { toServerTime } from '../clock/server-clock.ts';
import { locationStore } from '../location/location.ts';
import { outboxStore } from '../outbox/outbox.ts';
import { useStore } from '../state/store.ts';
import { type RunView, viewRuns } from './run-view.ts';
import { orderStore, runsStore } from './runs.ts';
import { stopsOf } from './stops.ts';

const PLACE_DIGITS = 3; // about 100 m: the suggestion does not change with every step of the driver

export function useRuns(): RunView[] {
  const [runs, entries] = [useStore(runsStore), useStore(outboxStore)];
  return useMemo(() => viewRuns(runs, entries), [runs, entries]);
}

export const useRun = (id: string): RunView | undefined => useRuns().find(({ shipment }) => shipment.id === id);

export interface RouteStop extends Stop {
  run: RunView;
}

/** Open stops in the driver's order, or in the suggested one. */
export function useRoute(): RouteStop[] {
  const runs = useRuns();
  const order = useStore(orderStore);
  const fix = useStore(locationStore).fix;
  const latitude = fix ? Number(fix.latitude.toFixed(PLACE_DIGITS)) : null;
  const longitude = fix ? Number(fix.longitude.toFixed(PLACE_DIGITS)) : null;
  return useMemo(() => {
    const start = latitude === null || longitude === null ? null : { latitude, longitude };
    const now = toServerTime(Date.now(), currentSkew()).getTime();
    const open = runs.filter(({ isGivenBack }) => !isGivenBack);
    const suggested = suggestOrder(
      open.flatMap(({ shipment }) => stopsOf(shipment)),
      start,
      now,
    );
    const route = order ? keepOrder(suggested, order, start, now) : suggested;
    return route.flatMap((stop) => {
      const run = open.find(({ shipment }) => shipment.id === stop.shipmentId);
      return run ? [{ ...stop, run }] : [];
    });
  }, [runs, order, latitude, longitude]);
}
