import { crowd } from '../../server/test/crowd.ts';
import type { Chance } from './chance.ts';
import type { MerchantIdentity } from './merchant.ts';
import { somewhereInParis } from './paris.ts';

/** The last one has an agreed pickup time instead of an immediate driver. */
export const SHOPS = [
  'Atelier Zoé',
  'Librairie du Canal',
  'Fleurs de Bastille',
  'La Cave d’Aligre',
  'Épicerie Montorgueil',
  'Pharmacie des Halles',
] as const;

const FIRST_NAMES = [
  'Ana',
  'Bilal',
  'Chloé',
  'David',
  'Elsa',
  'Farid',
  'Gaëlle',
  'Hugo',
  'Inès',
  'Jules',
  'Karim',
  'Lou',
];
const LAST_NAMES = ['Leroy', 'Moreau', 'Diallo', 'Nguyen', 'Petit', 'Haddad', 'Roux', 'Garcia', 'Lefèvre', 'Simon'];
const AUTO_ACCEPT_EVERY = 7; // every seventh driver accepts automatically
const PLENTY = { minute: 1_000_000, hour: 1_000_000, day: 1_000_000 };

type Navette = (args: string[], input?: unknown) => Promise<unknown>;

/** Accounts and keys, created with the operator's commands. */
export function createShops(navette: Navette, chance: Chance): Promise<MerchantIdentity[]> {
  const places = SHOPS.map(() => somewhereInParis(chance));
  return crowd(2, SHOPS, async (name, i) => {
    const place = places[i] as (typeof places)[0];
    const { id, clientId } = (await navette(['account', 'create', '--input', '-'], {
      name,
      email: `boutique${i}@shops.example`,
      clientType: 'shop',
      contractSigned: true,
      minimumPrice: 8.5,
      pricePerKg: 9.9,
      paymentMode: 'deferred',
      pickupAddress: { street: `${i + 1} rue de Rivoli`, city: 'Paris', postalCode: '75001', coordinates: place },
      rateLimits: PLENTY,
    })) as { id: string; clientId: string };
    const { key } = (await navette(['key', 'create', id, '--name', 'day'])) as { key: string };
    return { name, id, clientId, key, place };
  });
}

export interface HiredDriver {
  id: string;
  token: string;
  name: string;
  autoAccept: boolean;
}

export async function hireDrivers(navette: Navette, many: number): Promise<HiredDriver[]> {
  const people = Array.from({ length: many }, (_, i) => ({
    firstName: FIRST_NAMES[i % FIRST_NAMES.length] as string,
    lastName: LAST_NAMES[(i * 7) % LAST_NAMES.length] as string,
    phoneNumber: `+3319${String(i).padStart(7, '0')}`,
    email: `livreur${i}@drivers.example`,
    autoAccept: i % AUTO_ACCEPT_EVERY === AUTO_ACCEPT_EVERY - 1,
  }));
  const hired = (await navette(['driver', 'create', '--input', '-'], people)) as { id: string; token: string }[];
  return people.map(({ firstName, lastName, autoAccept }, i) => ({
    ...(hired[i] as (typeof hired)[0]),
    name: `${firstName} ${lastName}`,
    autoAccept,
  }));
}
