import type { Label } from '../src/features/labels/label.ts';

/** An ordinary label; `changes` override its fields. */
export const label = (changes: Partial<Label> = {}): Label => ({
  referenceNumber: '7K2M9QXAB4',
  isCancelled: false,
  isCollection: false,
  sender: { name: 'Atelier Zoé', street: '1 rue de Rivoli', postalCode: '75001', city: 'Paris', country: 'France' },
  recipient: {
    name: 'Camille Durand-Lefèvre',
    street: '8 avenue de l’Opéra, bâtiment C',
    postalCode: '75001',
    city: 'Paris',
    country: 'France',
    phoneNumber: '+33612345678',
  },
  weight: 2.5,
  nature: 'Vêtements',
  notes: 'Interphone 12B, laisser au gardien si absent.',
  orderId: '2041',
  service: { kind: 'express' },
  createdOn: '2026-03-05',
  ...changes,
});

const FIRST = [
  'Zoé', 'Œdipe', 'Łukasz', 'Ðorđe', 'Ağaoğlu', 'Nguyễn', 'Αλέξανδρος', 'Ευαγγελία', 'Владимир', 'Ђорђе', 'محمد', 'عبد الرحمن',
  'فاطمة', 'Jean-Baptiste', 'D’Artagnan', 'O\'Brien', 'Þórdís', 'Ștefan', 'Ķēniņš', 'Ψυχή',
]; // biome-ignore format: a list with several items per line
const LAST = [
  'Müller', 'Żółkiewski', 'Παπαδόπουλος', 'Щербаков', 'القاسمي', 'de la Rochefoucauld', 'Nuñez', 'Çelik', 'Ó Súilleabháin',
  'Vǎn', 'Йованович', 'Kovačević', 'Østergård', 'Straße', 'Ğüler', 'السيد', 'Ωνάσης', 'Ёлкина',
]; // biome-ignore format: a list with several items per line
const EMOJI = ['🎉', '😀', '📦', '❤️', '👩‍👩‍👧', '🇫🇷', '🚀'];
const STREETS = [
  'rue de l’Église',
  'Οδός Ερμού',
  'улица Ленина',
  'شارع الحبيب بورقيبة',
  'Lützowstraße',
  'Boulevard Saint-Germain',
  'Łazienkowska',
];
const TOWNS = [
  'Paris',
  'Θεσσαλονίκη',
  'Нижний Новгород',
  'تونس',
  'Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson',
  'Łódź',
  'Aix-en-Provence',
];

export interface HardAddress {
  recipientName: string;
  street: string;
  city: string;
}

/** The n-th of many realistic addresses: long, accented, in other scripts, mixed, with emoji. */
export function hardAddress(n: number): HardAddress {
  const pick = (list: string[], step: number) => list[(n * step + Math.floor(n / list.length)) % list.length] as string;
  const base = `${pick(FIRST, 1)} ${pick(LAST, 7)}`;
  const name = [
    base,
    `${pick(EMOJI, 3)} ${base}`,
    `${base} ${pick(LAST, 5)} ${pick(FIRST, 3)} ${pick(LAST, 11)} ${pick(FIRST, 9)} ${pick(LAST, 13)} fils`
      .slice(0, 60)
      .trim(),
    `${'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft'.slice(0, 60)}`,
    `Société ${base} & Cie`,
  ][n % 5] as string;
  return { recipientName: name, street: `${1 + (n % 199)} ${pick(STREETS, 3)}`, city: pick(TOWNS, 2) };
}
