export { type Arrivals, createArrivals } from './arrivals.ts';
export { type Arrival, type ArrivalKnowledge, estimateArrivals } from './estimate-arrival.ts';
export { readDays as readArrivalDays } from './knowledge.ts';
export { type DeliveredRun, legsOf } from './legs.ts';
export { type ArrivalMeasure, calibrate, JUDGED_BEFORE_MS, measureArrivals, type Outcome } from './measure-arrivals.ts';
export { addDay, type LearnedLegs, sumLegs } from './pace.ts';
export { driversUnderWay, presentArrival } from './present-arrival.ts';
