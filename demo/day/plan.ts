import type { Chance } from './chance.ts';
import { type Place, somewhereInParis } from './paris.ts';

/** When the search for a driver starts: at once, before its slot, or at the time agreed with its merchant. */
export type Mode = 'express' | 'slot' | 'agreed';

/** The incident of a shipment before it ends. */
export const FATES = {
  plain: 'delivered without incident',
  straight: 'delivered, its pickup never confirmed',
  refused: 'offers refused by the first drivers asked',
  ignored: 'first offers left to expire',
  abandoned: 'given back by its first driver',
  reassigned: 'its driver had a breakdown, the operator moved it to another one',
  absent: 'its recipient was absent at first, and the operator called',
  far: 'too far for every driver, given to one by the operator',
  unlocated: 'to an address that only the operator found',
  'wrong-code': 'two wrong codes, then the right one',
  locked: 'five wrong codes, confirmed by the operator',
  'cancelled-early': 'cancelled right after its creation',
  'cancelled-at-accept': 'cancelled while a driver accepts it',
  'cancelled-at-pickup': 'cancelled while a driver picks it up',
} as const;
export type Fate = keyof typeof FATES;

/** Share of all shipments, and a limit for incidents that need an operator's command. */
const SHARES: [fate: Fate, share: number, most: number][] = [
  ['straight', 0.02, Number.POSITIVE_INFINITY],
  ['refused', 0.04, Number.POSITIVE_INFINITY],
  ['ignored', 0.03, Number.POSITIVE_INFINITY],
  ['abandoned', 0.06, Number.POSITIVE_INFINITY],
  ['reassigned', 0.03, 12],
  ['absent', 0.02, 8],
  ['far', 0.02, 6],
  ['unlocated', 0.02, 6],
  ['wrong-code', 0.05, Number.POSITIVE_INFINITY],
  ['locked', 0.015, 8],
  ['cancelled-early', 0.05, Number.POSITIVE_INFINITY],
  ['cancelled-at-accept', 0.04, Number.POSITIVE_INFINITY],
  ['cancelled-at-pickup', 0.04, Number.POSITIVE_INFINITY],
];
const [SLOT_SHARE, AGREED_SHARE, COLLECTION_SHARE] = [0.2, 0.12, 0.1];

export interface PlannedShipment {
  number: number;
  /** Index of the merchant; the last one has an agreed pickup time. */
  merchant: number;
  mode: Mode;
  fate: Fate;
  isCollection: boolean;
  /** When the merchant sends it, in milliseconds after the day has begun. */
  atMs: number;
  to: Place;
  /** Its pickup, if it is not the merchant's address. */
  from: Place | null;
  /** Whether the driver sends the departure. */
  departs: boolean;
}

/** Pure: the same chance gives the same day. Every fate happens at least once, however small the day. */
export function planDay(
  chance: Chance,
  shipments: number,
  merchants: number,
  { openMs, earlyMs, hasAgreedTime }: { openMs: number; earlyMs: number; hasAgreedTime: boolean },
): PlannedShipment[] {
  const numbers = Array.from({ length: shipments }, (_, number) => number);
  const take = (share: number, most = shipments) => Math.min(most, Math.max(1, Math.round(share * shipments)));

  const fates: Fate[] = SHARES.flatMap(([fate, share, most]) => Array<Fate>(take(share, most)).fill(fate));
  const modes: Mode[] = [
    ...Array<Mode>(take(SLOT_SHARE)).fill('slot'),
    ...Array<Mode>(take(AGREED_SHARE)).fill(hasAgreedTime ? 'agreed' : 'slot'),
  ];
  const fateOf = deal(chance, numbers, fates);
  const modeOf = deal(chance, numbers, modes);
  const collections = new Set(chance.shuffled(numbers).slice(0, take(COLLECTION_SHARE)));

  return numbers.map((number) => {
    const fate = fateOf.get(number) ?? 'plain';
    const mode = fate === 'far' ? 'express' : (modeOf.get(number) ?? 'express');
    const isCollection = fate === 'far' || (collections.has(number) && fate !== 'straight');
    // Shipments with a time are ordered before it; a few slots are so near that their search starts at once.
    const isOrderedEarly = mode === 'agreed' || (mode === 'slot' && chance.isLuck(0.7));
    return {
      number,
      merchant: mode === 'agreed' ? merchants - 1 : number % (merchants - 1),
      mode,
      fate,
      isCollection,
      atMs: chance.between(0, isOrderedEarly ? earlyMs : openMs),
      to: somewhereInParis(chance),
      from: isCollection ? pickupOf(fate, chance) : null,
      departs: chance.isLuck(0.9),
    };
  });
}

/** Degrees to the north, some 30 km: beyond every wave. */
const FAR = 0.27;

function pickupOf(fate: Fate, chance: Chance): Place {
  const { latitude, longitude } = somewhereInParis(chance);
  return { latitude: latitude + (fate === 'far' ? FAR : 0), longitude };
}

const deal = <T>(chance: Chance, numbers: number[], cards: T[]): Map<number, T> =>
  new Map(chance.shuffled(numbers).flatMap((number, i) => (i < cards.length ? [[number, cards[i] as T]] : [])));
