import { INCIDENT_KINDS, type PeriodFigures } from '@navette/contract';
import { toEuros } from '../ledger/index.ts';
import { quantileOf, sumOf } from './histogram.ts';
import type { Figures } from './tally.ts';

/** As the contract has them. Amounts are for those who may see money. */
export function presentFigures(figures: Figures, maySeeMoney: boolean): PeriodFigures {
  const { delivered, onTime, returned, cancelled, wait, door, incidents, chargedCents, payCents } = figures;
  return {
    ...{ delivered, onTime, returned, cancelled, incidents: sumOf(incidents) },
    toDriverP50: quantileOf(wait, 0.5),
    toDriverP95: quantileOf(wait, 0.95),
    toDoorP50: quantileOf(door, 0.5),
    toDoorP95: quantileOf(door, 0.95),
    charged: maySeeMoney ? toEuros(chargedCents) : null,
    pay: maySeeMoney ? toEuros(payCents) : null,
  };
}

/** Incidents by kind, most frequent first. */
export const presentIncidents = ({ incidents }: Figures) =>
  INCIDENT_KINDS.map((kind) => ({ kind, count: incidents[kind] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
