import { readConfig } from '../../server/src/config.ts';
import {
  type ArrivalMeasure,
  addDay,
  calibrate,
  type LearnedLegs,
  legsOf,
  measureArrivals,
  sumLegs,
} from '../../server/src/features/arrival/index.ts';
import { simulateDay } from './simulate-day.ts';

export interface ReplayOptions {
  days: number;
  shipments: number;
  drivers: number;
  seed: number;
}

const hourOf = (at: number) => new Date(at).getUTCHours();

/** Days one after the other, each with what the nights before it have taught. The first one has the settings only. */
export function replayArrivals({ days, shipments, drivers, seed }: ReplayOptions): ArrivalMeasure[] {
  const assumed = readConfig({}).arrival;
  const measures: ArrivalMeasure[] = [];
  let learned: LearnedLegs = new Map();
  for (let day = 0; day < days; day++) {
    const knowledge = { assumed, learned, calibration: calibrate(measures), hourOf };
    const { outcomes, delivered } = simulateDay({ town: seed, seed: seed * 100 + day, shipments, drivers }, knowledge);
    measures.push(measureArrivals(outcomes));
    learned = addDay(learned, sumLegs(assumed, legsOf(delivered, hourOf)));
  }
  return measures;
}
