import type { Language, Role } from '@navette/contract';
import type { AccountInput } from '../features/accounts/index.ts';
import type { DriverInput } from '../features/drivers/index.ts';

/** Of every member and driver of the demo. Public, so the demo refuses to run where other people can reach it. */
export const DEMO_PASSWORD = 'une tournée sans détour';

export interface DemoAccount {
  settings: AccountInput;
  /** Paid in advance, in cents. */
  creditCents: number;
  members: { name: string; email: string; role: Role; language: Language }[];
}

const PLENTY = { minute: 1_000_000, hour: 1_000_000, day: 1_000_000 };
const SHOP = { clientType: 'shop', contractVersion: '2026-01', contractSigned: true, rateLimits: PLENTY };

/** Recognised by their e-mail addresses. */
export const DEMO_ACCOUNTS: DemoAccount[] = [
  {
    settings: {
      ...SHOP,
      name: 'Fleurs & Fils',
      email: 'bonjour@fleurs.example',
      minimumPrice: 6.5,
      pricePerKg: 9.9,
      pickupAddress: {
        street: '1 rue de Rivoli',
        city: 'Paris',
        postalCode: '75001',
        coordinates: { latitude: 48.8556, longitude: 2.3601 },
      },
      timeSlots: [{ label: 'Matin (9h-12h)' }, { label: '14h-16h' }, { label: 'Soir (18h-20h)' }],
    },
    creditCents: 400_000,
    members: [
      { name: 'Zoé Martin', email: 'zoe@fleurs.example', role: 'owner', language: 'fr' },
      { name: 'Tom Baker', email: 'tom@fleurs.example', role: 'operations', language: 'en' },
    ],
  },
  {
    settings: {
      ...SHOP,
      name: 'Librairie du Canal',
      email: 'bonjour@canal.example',
      minimumPrice: 8.5,
      paymentMode: 'deferred',
      creditLimit: 5_000,
      pickupAddress: {
        street: '81 quai de Valmy',
        city: 'Paris',
        postalCode: '75010',
        coordinates: { latitude: 48.8716, longitude: 2.3636 },
      },
      timeSlots: [{ label: '10h-13h' }, { label: '15h-18h' }],
    },
    creditCents: 0,
    members: [{ name: 'Léa Canal', email: 'lea@canal.example', role: 'owner', language: 'fr' }],
  },
];

const NAMES = ['Ana Leroy', 'Bilal Moreau', 'Chloé Diallo', 'David Nguyen', 'Elsa Petit', 'Farid Haddad'];

export const DEMO_DRIVERS: DriverInput[] = NAMES.map((name, i) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  const email = `${firstName.toLowerCase().normalize('NFKD').replaceAll(/\W/g, '')}@drivers.example`;
  return { firstName, lastName, email, phoneNumber: `+3363999000${i}`, autoAccept: i === 5, password: DEMO_PASSWORD };
});
