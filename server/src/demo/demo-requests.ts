import type { MapPoint, ShipmentRequest } from '@navette/contract';

/** Recipients with names and addresses of different lengths, for pages that have to show all of them. */
const RECIPIENTS = [
  ['Camille Durand', '8 avenue de l’Opéra', '75001', 'Paris'],
  ['Zoé Lefèvre-Beauchamp', '27 rue du Faubourg Saint-Antoine', '75011', 'Paris'],
  ['Yanis Ben Youssef', '3 place de la République', '93100', 'Montreuil'],
  ['Maëlle Le Guen', '112 bis boulevard Voltaire', '75011', 'Paris'],
  [
    'Jean-Baptiste de La Rochefoucauld-Montbel',
    '1 rue Monsieur-le-Prince, escalier C, 4e étage gauche',
    '75006',
    'Paris',
  ],
  ['Inès Garcia', '45 rue de Belleville', '75019', 'Paris'],
  ['Thomas Nguyen', '6 quai de Valmy', '75010', 'Paris'],
  ['Aïcha Diallo', '18 rue des Pyrénées', '92130', 'Issy-les-Moulineaux'],
] as const;
const NATURES = ['Bouquet rond', 'Vêtements', 'Livres', 'Céramique, fragile', 'Épicerie fine'];

const CENTRE = { latitude: 48.8606, longitude: 2.3476 };
const RADIUS_KM = 3.5;
const [KM_NORTH, KM_EAST] = [1 / 111.2, 1 / 73.2]; // in degrees, at this latitude
const GOLDEN_ANGLE = 2.399963; // spreads consecutive points evenly over a disc
const FICTIONAL_MOBILES = 639_980_000; // +33 6 39 98 …: ten thousand numbers that are never given to anybody

/** A place in Paris: the same one for the same number. */
export function demoPlace(number: number): MapPoint {
  const [angle, km] = [number * GOLDEN_ANGLE, RADIUS_KM * Math.sqrt(((number * 7) % 40) / 40)];
  const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000;
  return {
    latitude: rounded(CENTRE.latitude + km * KM_NORTH * Math.sin(angle)),
    longitude: rounded(CENTRE.longitude + km * KM_EAST * Math.cos(angle)),
  };
}

/** A plausible request: the same one for the same number. Each has its own phone number. */
export function demoRequest(number: number) {
  const [recipientName, street, postalCode, city] = RECIPIENTS[number % RECIPIENTS.length] ?? RECIPIENTS[0];
  return {
    deliveryAddress: {
      recipientName,
      street,
      postalCode,
      city,
      phoneNumber: `+33${FICTIONAL_MOBILES + (number % 10_000)}`,
      email: `client${number}@recipients.example`,
      coordinates: demoPlace(number),
    },
    parcelDetails: { weight: 0.8 + (number % 7) * 0.9, nature: NATURES[number % NATURES.length] ?? 'Colis' },
    externalReference: { orderId: `CMD-${2040 + number}` },
  } satisfies ShipmentRequest;
}
