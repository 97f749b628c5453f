import type { DriverShipment, Offer } from '@navette/contract';
import type { BrowserContext, Route } from 'playwright-core';

/** Responses of the driver API for pictures: the same on every day and machine. */
export interface MockData {
  shippings: DriverShipment[];
  offers: (Offer & { pay: number | null })[];
  history: DriverShipment[];
  isAvailable: boolean;
  isPaid: boolean;
  /** Status and slug for commands; absent: commands succeed. */
  refusal?: { status: number; error: string; attemptsLeft?: number };
}

const IN_A_MOMENT_MS = 42_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const BASE: DriverShipment = {
  ...{ id: 'run-1', referenceNumber: '5N4MPK3S3M', status: 'assigned', isCollection: false, collectionContact: null },
  pickup: {
    ...{ street: '12 rue des Francs-Bourgeois', city: 'Paris', postalCode: '75004', country: 'France' },
    coordinates: { latitude: 48.857, longitude: 2.362 },
  },
  delivery: {
    ...{ street: '8 avenue de l’Opéra, 3e étage gauche', city: 'Paris', postalCode: '75001', country: 'France' },
    ...{
      coordinates: { latitude: 48.8638, longitude: 2.3345 },
      recipientName: 'Camille Durand',
      phoneNumber: '+33612345678',
    },
  },
  parcel: { weight: 2.5, nature: 'Vêtements' },
  notes: 'Code 12B45, interphone Durand. Laisser sonner deux fois.',
  slot: { date: null, timeSlot: null, startsAt: null },
  ...{
    assignedAt: minutesAgo(30),
    pickedUpAt: null,
    departedAt: null,
    deliveredAt: null,
    cancelledAt: null,
    incident: null,
  },
};

export const PICKUP = BASE;
export const COLLECTION: DriverShipment = {
  ...BASE,
  ...{ id: 'run-3', referenceNumber: 'H8QW2T7RKD', isCollection: true, notes: null },
  collectionContact: { name: 'Nadia Benali', phoneNumber: '+33698765432' },
  pickup: {
    ...BASE.pickup,
    street: '41 rue Saint-Maur',
    postalCode: '75011',
    coordinates: { latitude: 48.862, longitude: 2.38 },
  },
  delivery: {
    ...BASE.delivery,
    recipientName: 'Atelier Brume',
    street: '3 passage du Grand-Cerf',
    postalCode: '75002',
  },
};
export const DELIVERY: DriverShipment = {
  ...BASE,
  ...{ id: 'run-2', referenceNumber: 'ZC3XV9L4PA', status: 'in_transit' },
  delivery: {
    ...BASE.delivery,
    recipientName: 'Jean-Baptiste de La Rochefoucauld',
    street: '112 boulevard Voltaire',
    postalCode: '75011',
    coordinates: { latitude: 48.858, longitude: 2.381 },
  },
  slot: { date: minutesAgo(0).slice(0, 10), timeSlot: '14h-16h', startsAt: minutesAgo(20) },
  ...{ pickedUpAt: minutesAgo(18), departedAt: minutesAgo(12) },
};
const incident = {
  id: 'i',
  kind: 'recipient_absent',
  note: null,
  reportedAt: minutesAgo(3),
  resolvedAt: null,
  resolution: null,
} as const;
export const WITH_INCIDENT: DriverShipment = { ...DELIVERY, incident };
const ended = (days: number, changes: Partial<DriverShipment>): DriverShipment => ({
  ...DELIVERY,
  ...{ id: `ended-${days}`, status: 'delivered', deliveredAt: minutesAgo(days * 1_440 + 55) },
  ...changes,
});
export const HISTORY = [
  ended(0, {}),
  ended(1, { referenceNumber: 'B7HK5MSW2N', delivery: { ...BASE.delivery, recipientName: 'Camille Durand' } }),
  ended(2, { referenceNumber: 'D4PV8QRX3T', status: 'cancelled', deliveredAt: null, cancelledAt: minutesAgo(3_000) }),
  ended(3, { referenceNumber: 'F9LN6ZYC4V', delivery: { ...BASE.delivery, recipientName: null } }),
];
export const OFFER = {
  ...{
    expiresAt: new Date(Date.now() + IN_A_MOMENT_MS).toISOString(),
    distanceKm: 1.4,
    deliveryDistanceKm: 3.2,
    pay: 6.8,
  },
  shipping: {
    ...BASE,
    notes: null,
    delivery: { ...BASE.delivery, street: null, recipientName: null, phoneNumber: null },
  },
};

const DRIVER = {
  ...{ id: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60', firstName: 'Yacine', lastName: 'Haddad', autoAccept: false },
  ...{ phoneNumber: '+33611111111', email: 'yacine@drivers.example' },
};

/** Answers every request of the API; with null as data the network is down. */
export async function mockApi(context: BrowserContext, read: () => MockData | null): Promise<void> {
  await context.route('**/driver/socket.io/**', (route) => route.abort());
  await context.route('**/driver/api/v1/**', (route) => {
    const data = read();
    return data === null ? route.abort('internetdisconnected') : answer(route, data);
  });
}

function answer(route: Route, data: MockData): Promise<void> {
  const request = route.request();
  const path = new URL(request.url()).pathname.replace('/driver/api/v1', '');
  const reply = (body: object, status = 200) =>
    route.fulfill({ status, json: { success: status < 400, ...body }, headers: { date: new Date().toUTCString() } });
  const driver = { ...DRIVER, available: data.isAvailable };
  const [, id, step] = /^\/(?:shippings|offers)\/([^/]+)\/?(\w*)$/.exec(path) ?? [];
  if (id !== undefined && step) {
    if (data.refusal) return reply({ message: '', ...data.refusal }, data.refusal.status);
    return reply({ shipping: data.shippings.find((one) => one.id === id) ?? PICKUP });
  }
  switch (`${request.method()} ${path.replace(/\?.*/, '')}`) {
    case 'POST /session':
      return reply({ token: 'token', driver }, 201);
    case 'GET /session':
    case 'PUT /availability':
      return reply({ driver, deliveryKeys: [], operatorPhone: '+33184800000', paid: data.isPaid, pushKey: null });
    case 'GET /shippings':
      return reply({ shippings: data.shippings });
    case 'GET /offers':
      return reply({
        offers: data.offers.map((offer) => ({
          ...offer,
          expiresAt: new Date(Date.now() + IN_A_MOMENT_MS).toISOString(),
        })),
      });
    case 'GET /history':
      return reply({ shippings: data.history, nextBefore: minutesAgo(9_000) });
    case 'GET /sessions':
      return reply({ sessions: SESSIONS });
    case 'GET /earnings':
      return reply(EARNINGS);
    case 'POST /password-links/read':
      return reply({ firstName: DRIVER.firstName, purpose: 'invitation' });
    default:
      return reply({ kept: true });
  }
}

const session = { createdAt: minutesAgo(9_000), expiresAt: minutesAgo(-9_000) };
const SESSIONS = [
  { ...session, id: 's1', device: 'Android', lastUsedAt: minutesAgo(1), current: true },
  { ...session, id: 's2', device: 'iPhone', lastUsedAt: minutesAgo(2_900), current: false },
];
const EARNINGS = {
  month: minutesAgo(0).slice(0, 7),
  total: 312.4,
  entries: [
    { at: minutesAgo(55), kind: 'run', amount: 6.8, referenceNumber: 'ZC3XV9L4PA', reason: null },
    { at: minutesAgo(120), kind: 'run', amount: 7.45, referenceNumber: 'B7HK5MSW2N', reason: null },
    {
      at: minutesAgo(2_000),
      kind: 'correction',
      amount: -2.5,
      referenceNumber: null,
      reason: 'Course comptée deux fois',
    },
  ],
};
